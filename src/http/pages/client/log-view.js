// The log: all lines stand in the document, in blocks of chunks that the browser draws only near the screen.
// So its own search, copying and links work for every line. Text reaches the page as text nodes only.
import { classesOf, plainDrawn } from '../../../terminal/drawn-style.ts'
import { cutAtMarkers } from '../../../terminal/marker.ts'
import { paintLine } from '../../../terminal/paint-line.ts'
import { plainStyle } from '../../../terminal/text-style.ts'

const chunkLines = 100
/** The browser watches each chunk that it has drawn; blocks of chunks keep those few. */
const blockLines = 4000
/** Longer lines are cut. */
const longest = 4000
const mostMarkers = 50
const deepest = 8

/**
 * @typedef {{ element: HTMLElement, rows: number, lines: number }} Block
 * @typedef {{ element: HTMLElement, block: Block, texts: string[], rows: number }} Chunk
 * @typedef {{ name: string, element: HTMLDetailsElement, hasHead: boolean }} Fold
 * @typedef {ReturnType<typeof paintLine>['spans']} Spans
 */

export class LogView {
  /** The plain text of each line, the first one at 0. @type {string[]} */
  texts = []
  /** The elements of lines by their numbers. @type {(HTMLElement | undefined)[]} */
  #elements = []
  /** @type {Chunk[]} */
  #chunks = []
  /** @type {Block[]} */
  blocks = []
  /** @type {Chunk | undefined} */
  #chunk
  /** @type {Block | undefined} */
  #block
  /** @type {Fold[]} */
  #open = []
  #style = plainStyle
  /** @type {string[]} */
  #begun = []
  /** @type {Map<string, HTMLElement>} */
  #timed = new Map()
  #columns = 0
  #rowHeight = 20
  #width = 0
  #widest = 0

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root
    this.measure()
    new ResizeObserver(() => this.measure()).observe(root)
  }

  get count() {
    return this.texts.length
  }

  /** Adds one line of output. @param {string} raw */
  add(raw) {
    const number = this.texts.length + 1
    const pieces = cutAtMarkers(raw, mostMarkers)
    /** @type {number | undefined} */
    let unused = number
    let whole = ''
    for (const { text, marker } of pieces) {
      const { spans, style } = paintLine(text, this.#style)
      this.#style = style
      // A line with only markers is no line of output.
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
    this.settle()
    const element = document.createElement('details')
    element.open = true
    this.#parent.append(element)
    this.#open.push({ name, element, hasHead: false })
    this.#leaveChunk()
  }

  /** Closes the innermost fold of this name, and all within it. @param {string} name */
  #closeFold(name) {
    const at = this.#open.findLastIndex((fold) => fold.name === name)
    if (at === -1) return
    this.settle()
    for (const { element } of this.#open.splice(at)) {
      element.open = false
      // What has nothing inside is an ordinary line.
      const [head, more] = element.children
      if (!head) element.remove()
      else if (!more) this.#unfold(element, head)
    }
    this.#leaveChunk()
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

  #leaveChunk() {
    this.#chunk = undefined
    this.#block = undefined
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
    const chunk = this.#chunkWithRoom()
    chunk.texts.push(text)
    chunk.rows += this.#rowsOf(text)
    chunk.element.append(line)
  }

  #chunkWithRoom() {
    if (this.#chunk && this.#chunk.texts.length < chunkLines) return this.#chunk
    this.settle()
    const block = this.#blockWithRoom()
    block.lines += chunkLines
    const element = document.createElement('div')
    element.className = 'chunk'
    this.#chunk = { element, block, texts: [], rows: 0 }
    this.#chunks.push(this.#chunk)
    return this.#chunk
  }

  #blockWithRoom() {
    if (this.#block && this.#block.lines < blockLines) return this.#block
    const element = document.createElement('div')
    element.className = 'block'
    this.#parent.append(element)
    this.#block = { element, rows: 0, lines: 0 }
    this.blocks.push(this.#block)
    return this.#block
  }

  /** Puts the newest chunk into the document, with its height: so each is laid out once. */
  settle() {
    const chunk = this.#chunk
    if (!chunk) return
    const { block } = chunk
    block.rows = this.#rowsIn(block)
    this.#setHeight(chunk)
    this.#setHeight(block)
    if (!chunk.element.isConnected) block.element.append(chunk.element)
  }

  /** @param {Block} block */
  #rowsIn(block) {
    let rows = 0
    for (let at = this.#chunks.length - 1; at >= 0; at -= 1) {
      const chunk = this.#chunks[at]
      if (chunk?.block === block) rows += chunk.rows
      else if (rows > 0) break
    }
    return rows
  }

  /** @param {Block | Chunk} part */
  #setHeight({ element, rows }) {
    element.style.setProperty('--tall', `${rows * this.#rowHeight}px`)
  }

  /** @param {string} text */
  #rowsOf(text) {
    return this.#columns > 0
      ? Math.max(1, Math.ceil(Math.min(text.length, longest) / this.#columns))
      : 1
  }

  /** Computes the heights anew: lines are broken anywhere, so that the number of columns is enough. */
  measure() {
    const { clientWidth } = this.root
    if (clientWidth === this.#width) return
    this.#width = clientWidth
    const line = document.createElement('div')
    line.className = 'line'
    const ruler = document.createElement('span')
    ruler.append('0'.repeat(100))
    line.append(ruler)
    this.root.append(line)
    const box = getComputedStyle(line)
    const room =
      clientWidth - Number.parseFloat(box.paddingLeft) - Number.parseFloat(box.paddingRight)
    const wide = ruler.getBoundingClientRect().width / 100
    this.#rowHeight = Number.parseFloat(box.lineHeight) || this.#rowHeight
    line.remove()
    this.#columns = this.root.classList.contains('nowrap') ? 0 : Math.floor(room / wide + 0.01)
    for (const block of this.blocks) block.rows = 0
    for (const chunk of this.#chunks) {
      chunk.rows = chunk.texts.reduce((rows, text) => rows + this.#rowsOf(text), 0)
      chunk.block.rows += chunk.rows
    }
    const parts = [...this.blocks, ...this.#chunks]
    for (const part of parts) {
      this.#setHeight(part)
      // Without `auto` for two frames, so that it forgets the height that it had when it was drawn.
      part.element.style.containIntrinsicBlockSize = `${part.rows * this.#rowHeight}px`
    }
    const forget = () => {
      for (const { element } of parts) element.style.containIntrinsicBlockSize = ''
    }
    requestAnimationFrame(() => requestAnimationFrame(forget))
  }

  /** @param {boolean} isOn */
  wrap(isOn) {
    this.root.classList.toggle('nowrap', !isOn)
    this.root.style.setProperty('--widest', `calc(${this.#widest}ch + 6.5rem)`)
    this.#width = 0
    this.measure()
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
