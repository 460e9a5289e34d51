// The log: all lines stand in the document, in blocks of chunks that the browser draws only near the screen.
// So its own search, copying and links work for every line. Text reaches the page as text nodes only.
import { classesOf, plainDrawn } from '../../../terminal/drawn-style.ts'
import { cutAtMarkers } from '../../../terminal/marker.ts'
import { paintLine } from '../../../terminal/paint-line.ts'
import { plainStyle } from '../../../terminal/text-style.ts'
import { LogRows, longest } from './log-rows.js'

const mostMarkers = 50
const deepest = 8

/**
 * @typedef {{ name: string, element: HTMLDetailsElement, hasHead: boolean }} Fold
 * @typedef {ReturnType<typeof paintLine>['spans']} Spans
 */

export class LogView {
  /** The plain text of each line, the first one at 0. @type {string[]} */
  texts = []
  /** The elements of lines by their numbers. @type {(HTMLElement | undefined)[]} */
  #elements = []
  /** @type {Fold[]} */
  #open = []
  #style = plainStyle
  /** @type {string[]} */
  #begun = []
  /** @type {Map<string, HTMLElement>} */
  #timed = new Map()
  #widest = 0
  /** A line whose end has not arrived yet. @type {HTMLElement | undefined} */
  #growing

  /** @param {HTMLElement} root */
  constructor(root) {
    root.replaceChildren()
    this.root = root
    this.rows = new LogRows(root)
  }

  get count() {
    return this.texts.length
  }

  clear() {
    this.rows.clear()
    this.root.replaceChildren()
    this.texts = []
    this.#elements = []
    this.#open = []
    this.#style = plainStyle
    this.#begun = []
    this.#timed.clear()
    this.#growing = undefined
  }

  /** Adds one line of output. @param {string} raw */
  add(raw) {
    if (this.#growing) this.grow('')
    const number = this.texts.length + 1
    const pieces = cutAtMarkers(raw, mostMarkers)
    /** @type {number | undefined} */
    let unused = number
    let whole = ''
    for (const { text, marker } of pieces) {
      const { spans, style } = paintLine(text, this.#style)
      this.#style = style
      // A line with only markers is not a line of output.
      if (spans.length > 0 || pieces.length === 1) {
        const plain = spans.map((span) => span.text).join('')
        whole += plain
        this.#addLine(plain, spans, unused)
        unused = undefined
      }
      if (marker) this.#follow(marker)
    }
    this.texts.push(whole)
  }

  /** Shows the beginning of the next line, as far as it is there. @param {string} raw */
  grow(raw) {
    this.#growing?.remove()
    this.#growing = undefined
    const text = cutAtMarkers(raw.slice(-longest), mostMarkers)
      .map((piece) => piece.text)
      .join('')
    const { spans } = paintLine(text, this.#style)
    if (spans.length === 0) return
    const line = document.createElement('div')
    line.className = 'line'
    fill(line, spans.map((span) => span.text).join(''), spans)
    this.#parent.append(line)
    this.#growing = line
  }

  settle() {
    this.rows.settle()
  }

  /** @param {NonNullable<ReturnType<typeof cutAtMarkers>[number]['marker']>} marker */
  #follow(marker) {
    if (marker.kind === 'fold_start') this.#openFold(marker.name)
    if (marker.kind === 'fold_end') this.#closeFold(marker.name)
    if (marker.kind === 'time_start') this.#begun.push(marker.id)
    if (marker.kind === 'time_end') {
      const line = this.#timed.get(marker.id)
      if (line && marker.seconds !== null) line.prepend(aside('duration', duration(marker.seconds)))
      this.#timed.delete(marker.id)
    }
  }

  /** @param {string} name */
  #openFold(name) {
    if (this.#open.length >= deepest) return
    this.rows.settle()
    const element = document.createElement('details')
    element.open = true
    this.#parent.append(element)
    this.#open.push({ name, element, hasHead: false })
    this.rows.leave()
  }

  /** Closes the innermost fold of this name, and all within it. @param {string} name */
  #closeFold(name) {
    const at = this.#open.findLastIndex((fold) => fold.name === name)
    if (at === -1) return
    this.rows.settle()
    for (const { element } of this.#open.splice(at)) {
      element.open = false
      // A fold without lines is an ordinary line.
      const [head, more] = element.children
      if (!head) element.remove()
      else if (!more) this.#unfold(element, head)
    }
    this.rows.leave()
  }

  /** @param {HTMLElement} element @param {Element} head */
  #unfold(element, head) {
    const line = document.createElement('div')
    line.className = 'line'
    line.append(...head.childNodes)
    const number = head instanceof HTMLElement ? head.dataset.n : undefined
    if (number !== undefined) {
      line.dataset.n = number
      this.#elements[Number(number)] = line
    }
    element.replaceWith(line)
  }

  get #parent() {
    return this.#open.at(-1)?.element ?? this.root
  }

  /** @param {string} text @param {Spans} spans @param {number | undefined} number */
  #addLine(text, spans, number) {
    const fold = this.#open.at(-1)
    const isHead = fold !== undefined && !fold.hasHead
    const line = document.createElement(isHead ? 'summary' : 'div')
    line.className = 'line'
    if (number !== undefined) {
      line.dataset.n = String(number)
      this.#elements[number] = line
    }
    fill(line, text, spans)
    for (const id of this.#begun) this.#timed.set(id, line)
    this.#begun = []
    const shown = Math.min(text.length, longest)
    if (shown > this.#widest) this.#widest = shown
    if (isHead) {
      fold.hasHead = true
      line.prepend(aside('fold', fold.name))
      fold.element.append(line)
      return
    }
    this.rows.add(line, text, this.#parent)
  }

  /** @param {boolean} isOn */
  wrap(isOn) {
    this.root.classList.toggle('nowrap', !isOn)
    this.root.style.setProperty('--widest', `calc(${this.#widest}ch + 6.5rem)`)
    this.rows.refit()
  }

  /** The element of a line; of the line before it, if it has only markers. @param {number} number */
  lineOf(number) {
    for (let at = Math.min(number, this.count); at > 0; at -= 1) {
      const found = this.#elements[at]
      if (found) return found
    }
    return undefined
  }

  /** Shows a line, and opens the folds that it is in. @param {number} number */
  show(number) {
    const line = this.lineOf(number)
    const isHead = line?.localName === 'summary'
    let at = isHead ? line?.parentElement?.parentElement : line?.parentElement
    for (; at && at !== this.root; at = at.parentElement) {
      if (at instanceof HTMLDetailsElement) at.open = true
    }
    line?.scrollIntoView({ block: 'center' })
    return line
  }
}

/** @param {HTMLElement} line @param {string} text @param {Spans} spans */
function fill(line, text, spans) {
  let left = longest
  for (const span of spans) {
    if (left <= 0) break
    const piece = span.text.slice(0, left)
    left -= piece.length
    if (span.style === plainDrawn) line.append(piece)
    else line.append(styled('span', classesOf(span.style), piece))
  }
  const cut = text.length - longest
  if (cut > 0) line.append(styled('em', 'cut', ` … ${cut.toLocaleString('en-US')} more characters`))
}

/** @param {'span' | 'em'} name @param {string} classes @param {string} text */
function styled(name, classes, text) {
  const element = document.createElement(name)
  element.className = classes
  element.append(text)
  return element
}

/** @param {string} kind @param {string} text */
const aside = (kind, text) => styled('span', kind, text)

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 2 : 1))} s`
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}
