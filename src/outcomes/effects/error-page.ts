/** Pages as proxies and portals write them: what a client gets when it is not talking to the service. */

/** A small HTML page. Nothing of a request is ever in it. */
export function renderPage(title: string, text: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
}
