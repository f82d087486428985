// The keyboard. A focused field keeps the keys it needs itself.

export function listen(actions) {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const { target, key } = event;
    if (target.matches?.('input[type="search"]')) return;
    if (key === ' ' && target.matches?.('button')) return;
    if (target.id === 'speed' && /^(Arrow|Home|End)/.test(key)) return;
    const action = actions[key.length === 1 ? key.toLowerCase() : key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
  // after a click with the mouse the space bar should play, not press the same button again
  addEventListener('click', (event) => {
    if (event.detail > 0) event.target.closest?.('button')?.blur();
  });
}
