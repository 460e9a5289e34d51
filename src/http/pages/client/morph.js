// Changes a page into what it is now, and keeps what its reader did: open folds, the focus, and what is typed.

/**
 * Makes an element like a newer one. Elements with `data-kept` stay as they are.
 *
 * @param {Element} old
 * @param {Element} now
 */
export function morph(old, now) {
  if (old.isEqualNode(now)) return
  for (const { name } of [...old.attributes]) {
    if (!now.hasAttribute(name) && !isReaders(old, name)) old.removeAttribute(name)
  }
  for (const { name, value } of now.attributes) {
    if (old.getAttribute(name) !== value && !isReaders(old, name)) old.setAttribute(name, value)
  }
  /** @type {ChildNode | null} */
  let at = old.firstChild
  for (const wanted of [...now.childNodes]) {
    const found = findLike(at, wanted)
    if (!found) {
      old.insertBefore(document.importNode(wanted, true), at)
      continue
    }
    if (found === at) at = at.nextSibling
    else old.insertBefore(found, at)
    if (found instanceof Element && wanted instanceof Element) {
      if (!found.hasAttribute('data-kept')) morph(found, wanted)
    } else if (found.nodeValue !== wanted.nodeValue) found.nodeValue = wanted.nodeValue
  }
  while (at) {
    const next = at.nextSibling
    if (!(at instanceof Element && at.hasAttribute('data-kept'))) at.remove()
    at = next
  }
}

/** Whether an attribute says what the reader did. @param {Element} element @param {string} name */
function isReaders(element, name) {
  return name === 'open' && element.localName === 'details'
}

/** The first node from here on that shows the same thing. @param {ChildNode | null} from @param {ChildNode} wanted */
function findLike(from, wanted) {
  for (let at = from; at; at = at.nextSibling) if (keyOf(at) === keyOf(wanted)) return at
  return undefined
}

/** @param {ChildNode} node */
function keyOf(node) {
  if (!(node instanceof Element)) return node.nodeName
  const name = node.id || node.getAttribute('aria-labelledby') || node.getAttribute('action') || ''
  return `${node.nodeName} ${name}`
}
