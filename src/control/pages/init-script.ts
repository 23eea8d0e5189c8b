/** What starts the interactive page. A file of its own, because the page's policy allows no script within the page. */
export const initScript = `'use strict';
addEventListener('DOMContentLoaded', () => {
  const root = document.getElementById('swagger-ui');
  if (root === null || typeof SwaggerUIBundle !== 'function') return;
  const { document: url, token } = root.dataset;
  const ui = SwaggerUIBundle({
    url,
    domNode: root,
    validatorUrl: null,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    presets: [SwaggerUIBundle.presets.apis],
    onComplete: () => {
      if (token) ui.preauthorizeApiKey('bearer', token);
      document.getElementById('plain').open = false;
    },
  });
});
`;
