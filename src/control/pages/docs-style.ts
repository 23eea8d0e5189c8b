/**
 * Corrections of Swagger UI's style: contrast in light mode, invisible words in dark mode, space on narrow screens. The
 * sheet is loaded after Swagger UI's own and uses its classes. Rules for light mode do not affect dark mode.
 */
export const docsStyle = `html.dark-mode, html.dark-mode .swagger-ui, html.dark-mode .swagger-ui .scheme-container { background: var(--paper); }
html.dark-mode .swagger-ui .header-col { color: var(--ink); }
html.dark-mode .swagger-ui .opblock .opblock-section-header .try-out__btn.cancel { color: #ff8a80; border-color: #ff8a80; }
@media not all and (prefers-color-scheme: dark) {
  .swagger-ui .info .title small, .swagger-ui .download-contents { background: #5c6470; }
  .swagger-ui .info .title small.version-stamp { background: #3f6c00; }
  .swagger-ui .info a, .swagger-ui a.link { color: var(--link); }
  .swagger-ui .btn.authorize, .swagger-ui .btn.modal-btn { color: #14733f; border-color: #14733f; }
  .swagger-ui .btn.authorize svg { color: #14733f; fill: currentColor; }
  .swagger-ui .btn.execute { background: var(--link); border-color: var(--link); }
  .swagger-ui .btn.cancel { color: #b3261e; border-color: #b3261e; }
  .swagger-ui .parameter__in, .swagger-ui .prop-format { color: #5a5a5a; }
  .swagger-ui .json-schema-2020-12-expand-deep-button, .swagger-ui .json-schema-2020-12__attribute--muted,
  .swagger-ui [class$='__name--secondary'], .swagger-ui [class$='__value--secondary'] { color: #4a4a4a; }
  .swagger-ui .json-schema-2020-12__attribute--warning, .swagger-ui .parameter__deprecated, .swagger-ui .parameter__name.required span { color: #b3261e; }
  .swagger-ui .json-schema-2020-12__constraint { background: #5c6470; }
  .swagger-ui .json-schema-2020-12__constraint--string { background: #8f5200; }
  .swagger-ui .opblock.opblock-post .opblock-summary-method { background: #14733f; }
  .swagger-ui .opblock.opblock-get .opblock-summary-method { background: var(--link); }
  .swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f6b62; }
  .swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8f5200; }
  .swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e; }
}
@media (max-width: 48rem) {
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag > a { flex: 1; }
  .swagger-ui .opblock-tag small { order: 1; flex-basis: 100%; padding: 0; }
  .swagger-ui .response-col_links { display: none; }
}
`;
