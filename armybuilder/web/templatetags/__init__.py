"""Template tags of the site: `site` (icons, theme, numbers) and `charts` (SVG)."""
