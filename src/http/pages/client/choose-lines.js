// Lines that are chosen: marked, in the address, and copied.
import { byId } from './page-parts.js'

/** @typedef {import('./log-view.js').LogView} LogView */

/**
 * Lines that can be linked to, as `#L12` or `#L12-L20`.
 *
 * @param {LogView} view
 * @param {(text: string) => void} say
 */
export function choosing(view, say) {
  const { root } = view
  const panel = byId('chosen', HTMLElement)
  const title = byId('chosen-text', HTMLElement)
  /** @type {{ start: number, end: number } | undefined} */
  let chosen
  /** @type {Element[]} */
  let marked = []
  let timer = 0

  const address = () => {
    if (!chosen) return location.pathname + location.search
    const [from, to] = [Math.min(chosen.start, chosen.end), Math.max(chosen.start, chosen.end)]
    return from === to ? `#L${from}` : `#L${from}-L${to}`
  }

  /** @param {number} start @param {number} end */
  function choose(start, end = start, scrolls = false) {
    clear()
    chosen = { start, end }
    const [from, to] = [Math.min(start, end), Math.max(start, end)]
    if (scrolls) view.show(from)
    for (let number = from; number <= Math.min(to, from + 2000); number += 1) {
      const line = view.lineOf(number)
      line?.classList.add('chosen')
      if (line) marked.push(line)
    }
    if (title) title.textContent = from === to ? `Line ${from}` : `Lines ${from}–${to}`
    if (panel) panel.hidden = false
    writeAddress()
  }

  function clear() {
    for (const line of marked) line.classList.remove('chosen')
    marked = []
    chosen = undefined
    if (panel) panel.hidden = true
  }

  /** Browsers refuse addresses that change too often, as with an arrow key that is held down. */
  function writeAddress() {
    clearTimeout(timer)
    timer = setTimeout(() => history.replaceState(null, '', address()), 200)
  }

  function fromAddress() {
    const [, from, to = from] = /^#L(\d{1,9})(?:-L(\d{1,9}))?$/.exec(location.hash) ?? []
    if (from === undefined) return
    const most = view.count
    choose(Math.min(Number(from), most), Math.min(Number(to), most), true)
  }
  addEventListener('hashchange', fromAddress)

  root.addEventListener('mousedown', (event) => {
    // Otherwise a click with Shift selects text.
    if (event.button === 0 && numberAt(event) !== undefined) event.preventDefault()
  })
  root.addEventListener('click', (event) => {
    const number = numberAt(event)
    if (number === undefined) return
    event.preventDefault()
    if (event.shiftKey && chosen) choose(chosen.start, number)
    else choose(number)
  })

  const none = () => {
    clear()
    writeAddress()
  }
  byId('choose-none', HTMLElement)?.addEventListener('click', () => {
    none()
    root.focus({ preventScroll: true })
  })
  byId('copy-text', HTMLElement)?.addEventListener('click', () => {
    if (!chosen) return
    const [from, to] = [Math.min(chosen.start, chosen.end), Math.max(chosen.start, chosen.end)]
    void copy(view.texts.slice(from - 1, to).join('\n'), say)
  })
  byId('copy-link', HTMLElement)?.addEventListener('click', () => {
    void copy(new URL(address(), location.href).href, say)
  })

  return Object.assign(choose, {
    none,
    fromAddress,
    /** @param {number} by @param {boolean} isRange */
    move(by, isRange) {
      if (!chosen) return
      const to = Math.min(view.count, Math.max(1, chosen.end + by))
      choose(isRange ? chosen.start : to, to)
      view.lineOf(to)?.scrollIntoView({ block: 'nearest' })
    },
    has: () => chosen !== undefined,
    /** Where the choice began. */
    first: () => chosen?.start,
  })
}

/** The number of the line whose number was clicked. @param {MouseEvent} event */
function numberAt({ target, clientX }) {
  const line = target instanceof Element ? target.closest('.line') : null
  if (!(line instanceof HTMLElement) || line.dataset.n === undefined) return undefined
  const gutter = Number.parseFloat(getComputedStyle(line).paddingLeft)
  const isInGutter = clientX - line.getBoundingClientRect().left < gutter - 8
  return isInGutter ? Number(line.dataset.n) : undefined
}

/** @param {string} text @param {(text: string) => void} say */
async function copy(text, say) {
  try {
    await navigator.clipboard.writeText(text)
    say('Copied')
  } catch {
    say('The browser did not allow copying.')
  }
}
