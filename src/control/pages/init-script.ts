/**
 * What starts the interactive page. A file of its own, because the page's policy allows no script within the page.
 * Swagger UI has a dark look, which a class on the root turns on. It gives some fields no name, its headings skip a level,
 * and long code cannot be scrolled by keyboard: that is put right whenever it has drawn something. The one thing that has
 * to be drawn otherwise, a link within a button, is drawn through its own plug-ins; the address bar still has the link.
 */
export const initScript = `'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

const plainPaths = ({ React }) => ({
  wrapComponents: {
    DeepLink: (Link) => (props) =>
      props.path.includes('/')
        ? React.createElement('span', null, props.text)
        : React.createElement(Link, props),
  },
});

const sections = [
  ['.information-container section', 'About'],
  ['.scheme-container > section', 'Server and credentials'],
];

function name(root) {
  for (const select of root.querySelectorAll('#servers')) select.ariaLabel = 'Server';
  for (const row of root.querySelectorAll('[data-param-name]'))
    for (const field of row.querySelectorAll('input, select, textarea'))
      field.ariaLabel ??= row.dataset.paramName;
  for (const body of root.querySelectorAll('.body-param textarea')) body.ariaLabel = 'Request body';
  for (const close of root.querySelectorAll('.close-modal')) close.ariaLabel = 'Close the dialog';
  for (const heading of root.querySelectorAll('h3, h4, h5, h6'))
    heading.ariaLevel = String(Math.min(Number(heading.tagName[1]) - 1, 4));
  for (const code of root.querySelectorAll('pre.microlight')) code.tabIndex = 0;
  for (const [selector, label] of sections)
    for (const section of root.querySelectorAll(selector)) section.ariaLabel = label;
  for (const table of root.querySelectorAll('table[role=region]')) table.removeAttribute('role');
}

addEventListener('DOMContentLoaded', () => {
  const root = document.getElementById('swagger-ui');
  if (root === null || typeof SwaggerUIBundle !== 'function') return;
  new MutationObserver(() => name(root)).observe(root, { childList: true, subtree: true });
  const { document: url, token } = root.dataset;
  const ui = SwaggerUIBundle({
    url,
    domNode: root,
    validatorUrl: null,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    syntaxHighlight: { theme: 'tomorrow-night' },
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [plainPaths],
    onComplete: () => {
      if (token) ui.preauthorizeApiKey('bearer', token);
      document.getElementById('plain').open = false;
    },
  });
});
`;
