"""Writing USD: skinned characters with their clips (UsdSkel)."""
