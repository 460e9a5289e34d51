// What the scripts of pages share.

/** Milliseconds of work after which the browser gets its turn. */
export const slice = 8

/**
 * @template {Element} E
 * @param {string} id
 * @param {new () => E} type
 */
export function byId(id, type) {
  const found = document.getElementById(id)
  return found instanceof type ? found : undefined
}

/** @param {number} lines */
export function counted(lines) {
  return lines === 1 ? '1 line' : `${lines.toLocaleString('en-US')} lines`
}

/** Gives the browser its turn. */
export function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', resolve, { once: true })
    port1.start()
    port2.postMessage(null)
  })
}

/** Does something after scrolling, at most once for each frame. @param {() => void} act */
export function whenScrolled(act) {
  let isDue = false
  const listener = () => {
    if (isDue) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      act()
    })
  }
  addEventListener('scroll', listener, { passive: true })
}

/** Says something to users of screen readers. @param {string} text */
export function say(text) {
  const said = byId('say', HTMLElement)
  if (said) said.textContent = text
}
