// The time of each line after the first output. The times are read when someone wants to see them.
import { byId, say, whenScrolled } from './page-parts.js'

/** Milliseconds after which the times of new lines are read. */
const pauseBetween = 3000

/** @param {import('./log-view.js').LogView} view */
export function timing(view) {
  const { root, rows } = view
  const box = byId('times', HTMLInputElement)
  /** In the order of the lines: each is the first one of its second. @type {{ line: number, seconds: number }[]} */
  let times = []
  let isOn = false
  let timer = 0

  const widest = () => String(view.count).length

  async function read() {
    try {
      const response = await fetch(root.dataset.times ?? '', {
        headers: { accept: 'application/json' },
      })
      if (!response.ok) return false
      times = (await response.json()).lines
      return true
    } catch (error) {
      console.warn(error)
      return false
    }
  }

  /** @param {Element} line */
  function write(line) {
    if (!(line instanceof HTMLElement) || line.dataset.n === undefined) return
    const { n } = line.dataset
    const found = times[placeOf(times, Number(n))]
    // As wide for each number, so that the times stand in a column.
    if (found) line.dataset.t = elapsed(found.seconds) + ' '.repeat(widest() - n.length)
  }

  /** Writes the times of the lines near the screen, and of the heads of folds. */
  function draw() {
    if (!isOn) return
    for (const chunk of rows.near()) for (const line of chunk.children) write(line)
    for (const head of root.querySelectorAll('summary, :scope > .line')) write(head)
  }

  async function turn() {
    if (!box) return
    const isLoaded = !box.checked || (await read())
    if (!isLoaded) {
      box.checked = false
      say('The times could not be loaded.')
    }
    isOn = box.checked
    root.classList.toggle('timed', isOn)
    rows.refit()
    draw()
  }

  box?.addEventListener('change', () => void turn())
  whenScrolled(draw)
  // The newest attempt has other times.
  document.addEventListener('live:page', ({ detail }) => {
    const source = detail.getElementById(root.id)?.dataset.times
    if (source === undefined || source === root.dataset.times) return
    root.dataset.times = source
    times = []
    if (isOn) void read().then(draw)
  })

  return {
    toggle: () => box?.click(),
    /** Lines were added. */
    grown() {
      draw()
      if (!isOn || timer !== 0) return
      timer = setTimeout(async () => {
        timer = 0
        if (await read()) draw()
      }, pauseBetween)
    },
  }
}

/** The place of the last entry that is not after a line. @param {{ line: number }[]} times @param {number} line */
function placeOf(times, line) {
  let [from, to] = [0, times.length - 1]
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    if ((times[middle]?.line ?? 0) <= line) from = middle
    else to = middle - 1
  }
  return from
}

/** `0:07`, `12:40`, `1:02:05`; jobs take less than a day. @param {number} seconds */
function elapsed(seconds) {
  const clock = new Date(seconds * 1000).toISOString().slice(11, 19)
  return clock.replace(/^(?:00:)?0?/, '')
}
