// Rules of `make lint` for the site's scripts. They are sent as they are: no build step, no module, no library but htmx, idiomorph, which merges its answers, and Sortable, which carries units.
const names = (text) => Object.fromEntries(text.split(" ").map((name) => [name, "readonly"]));

export default [
  { ignores: ["**/*.min.js"] },
  {
    files: ["armybuilder/**/static/**/*.js"],
    languageOptions: {
      ecmaVersion: 2020,
      sourceType: "script",
      globals: names("document window navigator location matchMedia setTimeout clearTimeout setInterval requestAnimationFrame Event Response fetch FormData XMLHttpRequest history sessionStorage URL URLSearchParams innerHeight getComputedStyle MutationObserver"),
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "eqeqeq": "error", "curly": "error",
      "no-undef": "error", "no-unused-vars": "error", "no-redeclare": "error", "no-shadow": "error", "no-use-before-define": ["error", { functions: false }],
      "no-implicit-globals": "error", "no-eval": "error", "no-implied-eval": "error", "no-new-func": "error", "no-script-url": "error",
      "no-unreachable": "error", "no-dupe-keys": "error", "no-fallthrough": "error", "no-self-compare": "error", "valid-typeof": "error",
      "max-len": ["error", { code: 180 }],
    },
  },
];
