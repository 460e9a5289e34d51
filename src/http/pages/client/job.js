// The page of a job: the whole log, search, links to lines and ranges. Without this script the page shows
// the end of the log, and all of its links work.
import { LogView } from './log-view.js'

/** Milliseconds of work after which the browser gets its turn. */
const slice = 8

/**
 * @template {Element} E
 * @param {string} id
 * @param {new () => E} type
 */
function byId(id, type) {
  const found = document.getElementById(id)
  return found instanceof type ? found : undefined
}

const log = byId('log', HTMLElement)
if (log) void start(log)

/** @param {HTMLElement} root */
async function start(root) {
  const said = byId('say', HTMLElement)
  /** @param {string} text */
  const say = (text) => {
    if (said) said.textContent = text
  }
  const view = await load(root)
  if (!view) {
    say('The whole log could not be loaded; its end is shown.')
    return
  }
  const size = byId('size', HTMLElement)
  if (size) size.textContent = counted(view.count)
  const choose = choosing(view, say)
  const find = searching(view, { choose, say })
  keys(view, { choose, find })
  menu(view)
  for (const element of document.querySelectorAll('[data-scripted], #find')) {
    if (element instanceof HTMLElement) element.hidden = false
  }
  choose.fromAddress()
  root.dataset.loaded = ''
}

/** @param {number} lines */
function counted(lines) {
  return lines === 1 ? '1 line' : `${lines.toLocaleString('en-US')} lines`
}

/** Gives the browser its turn. */
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', resolve, { once: true })
    port1.start()
    port2.postMessage(null)
  })
}

/**
 * Reads the whole log and shows it in place of its end; undefined if it cannot be read.
 *
 * @param {HTMLElement} root
 */
async function load(root) {
  const { source = '' } = root.dataset
  try {
    const response = await fetch(source, { headers: { accept: 'text/plain' } })
    if (!response.ok) return undefined
    const text = await response.text()
    root.replaceChildren()
    const view = new LogView(root)
    let ends = performance.now() + slice
    for (let at = 0; at < text.length;) {
      const next = text.indexOf('\n', at)
      const end = next === -1 ? text.length : next
      view.add(text.slice(at, end))
      at = end + 1
      if (performance.now() < ends) continue
      await pause()
      ends = performance.now() + slice
    }
    view.settle()
    return view
  } catch (error) {
    console.warn(error)
    return undefined
  }
}

/**
 * Lines that can be linked to, as `#L12` or `#L12-L20`.
 *
 * @param {LogView} view
 * @param {(text: string) => void} say
 */
function choosing(view, say) {
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

/**
 * Search over the plain texts, with counts. The browser's own search works as well.
 *
 * @param {LogView} view
 * @param {{ choose: ReturnType<typeof choosing>, say: (text: string) => void }} page
 */
function searching(view, { choose, say }) {
  const field = byId('search', HTMLInputElement)
  const counter = byId('found', HTMLElement)
  /** @type {number[]} */
  let matches = []
  let current = -1
  let wanted = ''
  let round = 0
  let timer = 0
  /** @type {Element | undefined} */
  let marked

  async function search() {
    const mine = (round += 1)
    wanted = field?.value.toLowerCase() ?? ''
    matches = []
    current = -1
    if (wanted.length < 2 || wanted.startsWith(':')) {
      wanted = ''
      count('')
      highlight()
      return
    }
    let ends = performance.now() + slice
    for (let at = 0; at < view.count; at += 1) {
      if (view.texts[at]?.toLowerCase().includes(wanted)) matches.push(at + 1)
      if ((at & 255) !== 0 || performance.now() < ends) continue
      await pause()
      if (mine !== round) return
      ends = performance.now() + slice
    }
    count(matches.length === 0 ? 'none' : counted(matches.length))
    say(matches.length === 0 ? 'Nothing found' : `Found in ${counted(matches.length)}`)
    view.root.dataset.searched = wanted
    highlight()
  }

  /** @param {string} text */
  function count(text) {
    if (counter) counter.textContent = text
  }

  /** @param {number} by */
  function step(by) {
    if (matches.length === 0) return
    current = (current + by + matches.length) % matches.length
    if (current < 0) current = 0
    const number = matches[current] ?? 1
    marked?.classList.remove('found')
    marked = view.show(number)
    marked?.classList.add('found')
    count(`${(current + 1).toLocaleString('en-US')} of ${matches.length.toLocaleString('en-US')}`)
    say(`Line ${number}: ${view.texts[number - 1]?.slice(0, 120) ?? ''}`)
    highlight()
  }

  /** Marks what was found in the lines near the screen. */
  function highlight() {
    if (!('highlights' in CSS)) return
    CSS.highlights.clear()
    if (matches.length === 0) return
    const all = new Highlight()
    const one = new Highlight()
    for (const { element } of view.blocks) {
      if (!isNear(element)) continue
      for (const chunk of element.children) if (isNear(chunk)) mark(chunk, all, one)
    }
    CSS.highlights.set('matches', all)
    CSS.highlights.set('match', one)
  }

  /** @param {Element} chunk @param {Highlight} all @param {Highlight} one */
  function mark(chunk, all, one) {
    const walker = document.createTreeWalker(chunk, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.toLowerCase() ?? ''
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
        const [startOffset, endOffset] = [at, at + wanted.length]
        const range = new StaticRange({
          startContainer: node,
          startOffset,
          endContainer: node,
          endOffset,
        })
        const isCurrent = node.parentElement?.closest('.found')
        ;(isCurrent ? one : all).add(range)
      }
    }
  }

  let isDrawing = false
  addEventListener(
    'scroll',
    () => {
      if (matches.length === 0 || isDrawing) return
      isDrawing = true
      requestAnimationFrame(() => {
        isDrawing = false
        highlight()
      })
    },
    { passive: true },
  )

  field?.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void search(), 120)
  })
  field?.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.shiftKey) {
      event.preventDefault()
      step(-1)
    }
    if (event.key === 'Escape') {
      field.value = ''
      void search()
      view.root.focus({ preventScroll: true })
    }
  })
  byId('find', HTMLFormElement)?.addEventListener('submit', (event) => {
    event.preventDefault()
    const [, line] = /^:(\d{1,9})$/.exec(field?.value.trim() ?? '') ?? []
    if (line === undefined) step(1)
    else choose(Math.min(Number(line), view.count), undefined, true)
  })
  byId('previous-match', HTMLElement)?.addEventListener('click', () => step(-1))

  return { step, focus: () => field?.focus() }
}

/** @param {Element} element */
function isNear(element) {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > -400 && top < innerHeight + 400
}

/**
 * Single letters work only while the log itself has the focus.
 *
 * @param {LogView} view
 * @param {{ choose: ReturnType<typeof choosing>, find: ReturnType<typeof searching> }} page
 */
function keys({ root }, { choose, find }) {
  const error = Number(root.dataset.error)
  /** @type {Record<string, (event: KeyboardEvent) => void>} */
  const actions = {
    '/': () => find.focus(),
    n: () => find.step(1),
    N: () => find.step(-1),
    e: () => error > 0 && choose(error, error, true),
    w: () => byId('wrap', HTMLInputElement)?.click(),
    g: () => root.scrollIntoView(),
    G: () => byId('end', HTMLElement)?.scrollIntoView({ block: 'end' }),
    Escape: () => choose.none(),
    ArrowDown: ({ shiftKey }) => choose.move(1, shiftKey),
    ArrowUp: ({ shiftKey }) => choose.move(-1, shiftKey),
  }
  root.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== root) return
    if (event.key.startsWith('Arrow') && !choose.has()) return
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action(event)
  })
  byId('first-error', HTMLElement)?.addEventListener('click', () => {
    root.focus({ preventScroll: true })
  })
}

/** What is shown, and how. @param {LogView} view */
function menu(view) {
  const wrap = byId('wrap', HTMLInputElement)
  wrap?.addEventListener('change', () => view.wrap(wrap.checked))
  const wide = byId('wide', HTMLInputElement)
  wide?.addEventListener('change', () => {
    document.body.classList.toggle('wide', wide.checked)
  })
  byId('open-all', HTMLElement)?.addEventListener('click', () => {
    const folds = [...view.root.querySelectorAll('details')]
    const isOpen = folds.some(({ open }) => !open)
    for (const fold of folds) fold.open = isOpen
  })
  for (const each of document.querySelectorAll('details.menu')) {
    if (!(each instanceof HTMLDetailsElement)) continue
    each.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !each.open) return
      each.open = false
      each.querySelector('summary')?.focus()
    })
    each.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !each.contains(relatedTarget)) each.open = false
    })
  }
}
