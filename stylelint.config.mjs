// Stylelint's standard, without its rules of layout: a short rule is one line here, and lines that belong together have
// no empty line between them.

const FONTS = ["Roboto", "Arial"];
const BLOCK_ELEMENT_MODIFIER = /^[a-z][a-z0-9]*(-[a-z0-9]+)*(__[a-z0-9]+(-[a-z0-9]+)*)?(--[\w-]+)?$/; // a modifier may be a value of the data

export default {
  extends: ["stylelint-config-standard"],
  reportNeedlessDisables: true,
  rules: {
    "at-rule-empty-line-before": null,
    "color-hex-length": null,
    "comment-empty-line-before": null,
    "custom-property-empty-line-before": null,
    "declaration-block-single-line-max-declarations": null,
    "declaration-empty-line-before": null,
    "media-feature-range-notation": "prefix", // older phones know no other
    "no-descending-specificity": null, // rules are ordered by component
    "property-no-vendor-prefix": [true, { ignoreProperties: ["-webkit-text-size-adjust"] }], // Safari knows no other
    "selector-class-pattern": BLOCK_ELEMENT_MODIFIER,
    "value-keyword-case": ["lower", { ignoreKeywords: FONTS }],
  },
};
