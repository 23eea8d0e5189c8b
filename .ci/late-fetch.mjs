/**
 * Stand-ins for classes of Node's `fetch`, in the bundles: each becomes the class itself with its first instance, and
 * the class is loaded then.
 */
function late(name) {
  return function Late(...given) {
    const actual = globalThis[name];
    if (Object.getPrototypeOf(Late) !== actual) {
      Object.setPrototypeOf(Late, actual);
      Object.setPrototypeOf(Late.prototype, actual.prototype);
    }
    return Reflect.construct(actual, given, new.target);
  };
}

export const LateRequest = /* @__PURE__ */ late('Request');
export const LateResponse = /* @__PURE__ */ late('Response');
export const LateHeaders = /* @__PURE__ */ late('Headers');
