"""The verb `completion`: a script with which a shell completes verbs and options."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import tyro

from gambol.cli.arguments import Verb, complete
from gambol.cli.suggestions import option_names

Shell = Literal["bash", "zsh", "fish"]
"""Shells that are known."""
BASH = """\
# Completion of gambol for bash. Add it to your shell: gambol completion bash >> ~/.bashrc
_gambol() {
    local word="${COMP_WORDS[COMP_CWORD]}" verb="${COMP_WORDS[1]}" inner="${COMP_WORDS[2]}" words=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="%(verbs)s"
    else
        case "$verb $inner" in
%(cases)s
        esac
    fi
    case "$word" in
        -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
        *) COMPREPLY=($(compgen -W "$(printf '%%s\\n' $words | grep -v '^-')" -- "$word") $(compgen -f -- "$word")) ;;
    esac
}
complete -o filenames -F _gambol gambol
"""
"""The script for bash; zsh runs it through `bashcompinit`."""
ZSH_START = """\
# Completion of gambol for zsh. Add it to your shell: gambol completion zsh >> ~/.zshrc
autoload -Uz compinit bashcompinit && compinit && bashcompinit
"""
"""What zsh needs before the script for bash."""


def completion(shell: Annotated[Shell, tyro.conf.Positional], /) -> None:
    """Print a script with which your shell completes verbs and options: gambol completion bash >> ~/.bashrc.

    Args:
        shell: bash, zsh or fish.
    """
    sys.stdout.write(completion_script(shell))


def completion_script(shell: Shell) -> str:
    """The completion script for a shell."""
    words = completed_words()
    if shell == "fish":
        return _fish(words)
    verbs = " ".join(dict.fromkeys(name.split()[0] for name in words))
    cases = [_case(f'"{name}"' if " " in name else f'"{name} "*', options) for name, options in words.items()]
    cases += [_case(f'"{group} "*', inner) for group, inner in _groups(words).items()]
    script = BASH % {"verbs": verbs, "cases": "\n".join(cases)}
    return ZSH_START + script.partition("\n")[2] if shell == "zsh" else script


def completed_words() -> dict[str, list[str]]:
    """The options of every verb by its name; verbs of a group have both words, such as "pose sample"."""
    from gambol.cli.main import GROUPS, VERBS

    every: dict[str, Verb] = {}
    for name, verb in VERBS.items():
        every |= {f"{name} {inner}": made for inner, made in GROUPS[name].items()} if name in GROUPS else {name: verb}
    return {name: [*option_names(complete(verb)), "--help"] for name, verb in every.items()}


def _groups(words: dict[str, list[str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in words:
        first, _, inner = name.partition(" ")
        if inner:
            groups.setdefault(first, []).append(inner)
    return groups


def _case(pattern: str, words: list[str]) -> str:
    return f'            {pattern}) words="{" ".join(words)}" ;;'


def _fish(words: dict[str, list[str]]) -> str:
    lines = ["# Completion of gambol for fish: gambol completion fish > ~/.config/fish/completions/gambol.fish"]
    verbs = " ".join(dict.fromkeys(name.split()[0] for name in words))
    lines.append(f"complete -c gambol -n __fish_use_subcommand -a '{verbs}'")
    for group, inner in _groups(words).items():
        lines.append(f"complete -c gambol -n '__fish_seen_subcommand_from {group}' -a '{' '.join(inner)}'")
    for name, options in words.items():
        seen = " and ".join(f"__fish_seen_subcommand_from {part}" for part in name.split())
        seen = seen.replace(" and ", "; and ")
        lines += [f"complete -c gambol -n '{seen}' -l {o[2:]}" for o in options if o.startswith("--")]
    return "\n".join(lines) + "\n"
