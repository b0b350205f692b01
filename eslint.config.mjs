// ESLint's recommended rules, with the globals that each kind of script has.

import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import globals from "globals";

const WORKERS = ["static/js/phone/service_worker.js", "static/js/phone/engine_worker.js", "static/js/push/service_worker.js"];
const IN_PAGES = ["tests/browser/*.js"]; // not modules: the tests run their text in a page

export default defineConfig([
  { ignores: ["**/vendor/", "built/", "var/", "node_modules/", ".venv/"] },
  {
    files: ["**/*.js", "**/*.mjs"],
    extends: [js.configs.recommended],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "consistent-return": "error",
      eqeqeq: "error",
      "no-duplicate-imports": "error",
      "no-promise-executor-return": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-unreachable-loop": "error",
      "no-unused-expressions": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
  { files: ["static/js/**/*.js"], ignores: WORKERS, languageOptions: { globals: globals.browser } },
  { files: ["static/js/phone/service_worker.js"], languageOptions: { sourceType: "script", globals: { ...globals.serviceworker, APP: "readonly" } } },
  { files: ["static/js/push/service_worker.js"], languageOptions: { sourceType: "script", globals: globals.serviceworker } },
  { files: ["static/js/phone/engine_worker.js"], languageOptions: { globals: globals.worker } },
  { files: IN_PAGES, languageOptions: { sourceType: "script", globals: { ...globals.browser, axe: "readonly", measure: "readonly" } } },
  { files: ["tools/**/*.mjs", "tests/javascript/**/*.mjs", "*.mjs"], languageOptions: { globals: globals.node } },
  { files: ["tests/javascript/**/*.mjs"], languageOptions: { globals: { document: "readonly" } } }, // browser.mjs makes one
  { files: ["tools/phone_engine/build/engine.mjs"], languageOptions: { globals: globals["shared-node-browser"] } },
]);
