// The search in the log of a job.
import { byId, counted, pause, slice, whenScrolled } from './page-parts.js'

/** @typedef {import('./log-view.js').LogView} LogView */
/** @typedef {ReturnType<typeof import('./choose-lines.js').choosing>} Choosing */

/**
 * Search over the plain texts, with counts. The browser's own search works as well.
 *
 * @param {LogView} view
 * @param {{ choose: Choosing, say: (text: string) => void }} page
 */
export function searching(view, { choose, say }) {
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

  /** Marks matches in the lines near the screen. */
  function highlight() {
    if (!('highlights' in CSS)) return
    CSS.highlights.clear()
    if (matches.length === 0) return
    const all = new Highlight()
    const one = new Highlight()
    for (const chunk of view.rows.near()) mark(chunk, all, one)
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

  whenScrolled(() => {
    if (matches.length > 0) highlight()
  })

  field?.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void search(), 120)
  })
  field?.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.shiftKey) {
      event.preventDefault()
      step(-1)
    }
    // The search stays, so that `n` goes on; browsers would empty the field.
    if (event.key === 'Escape') {
      event.preventDefault()
      view.root.focus({ preventScroll: true })
    }
  })
  byId('find', HTMLFormElement)?.addEventListener('submit', (event) => {
    event.preventDefault()
    void go()
  })

  /** To the next match, also of a text that was typed just now, or to a line. */
  async function go() {
    const [, line] = /^:(\d{1,9})$/.exec(field?.value.trim() ?? '') ?? []
    if (line !== undefined) {
      choose(Math.min(Number(line), view.count), undefined, true)
      return
    }
    clearTimeout(timer)
    if (field && field.value.toLowerCase() !== wanted) await search()
    step(1)
  }
  byId('previous-match', HTMLElement)?.addEventListener('click', () => step(-1))

  return {
    step,
    focus: () => field?.select(),
    clear() {
      if (field) field.value = ''
      void search()
    },
  }
}
