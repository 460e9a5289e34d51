// The page of a job: the whole log, search, links to lines and ranges. Without this script the page shows
// the end of the log, and all of its links work.
import { choosing } from './choose-lines.js'
import { following } from './follow-log.js'
import { liveParts } from './live-parts.js'
import { LogFeed } from './log-feed.js'
import { timing } from './log-times.js'
import { LogView } from './log-view.js'
import { byId, counted, say } from './page-parts.js'
import { searching } from './search-log.js'

const log = byId('log', HTMLElement)
if (log) void start(log)

/** @param {HTMLElement} root */
async function start(root) {
  const live = root.dataset.parts === undefined ? undefined : liveParts(root)
  const begun = live ? await live.first() : await readText(root)
  if (begun === undefined) {
    say('The whole log could not be loaded; its end is shown.')
    return
  }
  const view = new LogView(root)
  const follow = following(view)
  const times = timing(view)
  const feed = new LogFeed(view, () => {
    showSize(view)
    follow.grown()
    times.grown()
  })
  if (typeof begun === 'string') {
    await feed.add(begun)
    await feed.end()
  } else {
    follow.begin()
    live?.begin(begun, {
      add: (text) => void feed.add(text),
      end: () => void feed.end().then(follow.end),
      clear: () => feed.clear().then(follow.begin),
    })
    await feed.add('')
  }
  const choose = choosing(view, say)
  const find = searching(view, { choose, say })
  keys(view, { choose, find, follow, times, stepError: stepping(choose) })
  menu(view)
  showScripted()
  document.addEventListener('live:page', showScripted)
  choose.fromAddress()
  root.dataset.loaded = ''
}

/** What needs this script is hidden until it runs. */
function showScripted() {
  for (const element of document.querySelectorAll('[data-scripted], #find')) {
    if (element instanceof HTMLElement) element.hidden = false
  }
}

/** @param {LogView} view */
function showSize({ count }) {
  const size = byId('size', HTMLElement)
  if (size) size.textContent = counted(count)
}

/** The whole log; undefined if it cannot be read. @param {HTMLElement} root */
async function readText({ dataset: { source = '' } }) {
  try {
    const response = await fetch(source, { headers: { accept: 'text/plain' } })
    return response.ok ? await response.text() : undefined
  } catch (error) {
    console.warn(error)
    return undefined
  }
}

/**
 * Single letters work only while the log itself has the focus.
 *
 * @param {LogView} view
 * @param {{
 *   choose: ReturnType<typeof choosing>,
 *   find: ReturnType<typeof searching>,
 *   follow: ReturnType<typeof following>,
 *   times: ReturnType<typeof timing>,
 *   stepError: ReturnType<typeof stepping>,
 * }} page
 */
function keys({ root }, { choose, find, follow, times, stepError }) {
  /** @type {Record<string, (event: KeyboardEvent) => void>} */
  const actions = {
    '/': () => find.focus(),
    n: () => find.step(1),
    N: () => find.step(-1),
    e: () => stepError(1),
    E: () => stepError(-1),
    f: () => follow.toggle(),
    t: () => times.toggle(),
    w: () => byId('wrap', HTMLInputElement)?.click(),
    g: () => root.scrollIntoView(),
    G: () => byId('end', HTMLElement)?.scrollIntoView({ block: 'end' }),
    Escape: () => {
      choose.none()
      find.clear()
    },
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
  // They come when the job has failed.
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return
    if (target.id === 'first-error') root.focus({ preventScroll: true })
    if (target.id === 'next-error') stepError(1)
    if (target.id === 'previous-error') stepError(-1)
  })
}

/**
 * Steps through the lines that say why the job failed, in their order in the log. Where none of them is chosen,
 * it begins with the likeliest.
 *
 * @param {ReturnType<typeof choosing>} choose
 */
function stepping(choose) {
  /** @param {1 | -1} by */
  return (by) => {
    const likeliest = byId('first-error', HTMLAnchorElement)
    if (!likeliest) return
    const errors = likeliest.dataset.lines?.split(' ').map(Number) ?? []
    const at = errors.indexOf(choose.first() ?? 0)
    const line =
      at === -1 ? Number(likeliest.hash.slice('#L'.length)) : errors.at((at + by) % errors.length)
    if (line) choose(line, line, true)
  }
}

/** Which lines are shown, and how. @param {LogView} view */
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
