// Finds the elements that a page contains for certain.

/**
 * Return the first element that matches.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => E} [kind] the class of the element.
 * @throws {Error} there is none, or it is of another class.
 */
export function getElement(root, selector, kind) {
  const found = root.querySelector(selector);
  if (!(found instanceof (kind ?? HTMLElement))) throw new Error(`${selector} is not on this page`);
  return /** @type {E} */ (found);
}

/**
 * Return a copy of the only element in the template with this id.
 * @param {string} id
 */
export function cloneTemplate(id) {
  return getElement(document.importNode(getElement(document, `#${id}`, HTMLTemplateElement).content, true), "*");
}
