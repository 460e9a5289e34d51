// The rows of a log: chunks of lines in blocks, which the browser draws only near the screen. What is not drawn
// has a height that is computed from its texts.

const chunkLines = 100
/** The browser watches each chunk that it has drawn; blocks of chunks keep those few. */
const blockLines = 4000
/** Longer lines are cut. */
export const longest = 4000

/**
 * @typedef {{ element: HTMLElement, rows: number, lines: number }} Block
 * @typedef {{ element: HTMLElement, block: Block, texts: string[], rows: number }} Chunk
 */

export class LogRows {
  /** @type {Block[]} */
  blocks = []
  /** @type {Chunk[]} */
  #chunks = []
  /** @type {Chunk | undefined} */
  #chunk
  /** @type {Block | undefined} */
  #block
  #columns = 0
  #rowHeight = 20
  #width = 0

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root
    this.measure()
    new ResizeObserver(() => this.measure()).observe(root)
  }

  clear() {
    this.blocks = []
    this.#chunks = []
    this.leave()
  }

  /** Adds a line to the newest chunk of a parent. @param {HTMLElement} line @param {string} text @param {Element} parent */
  add(line, text, parent) {
    const chunk = this.#chunkWithRoom(parent)
    chunk.texts.push(text)
    chunk.rows += this.#rowsOf(text)
    chunk.element.append(line)
  }

  /** The next line is in another parent. */
  leave() {
    this.#chunk = undefined
    this.#block = undefined
  }

  /** @param {Element} parent */
  #chunkWithRoom(parent) {
    if (this.#chunk && this.#chunk.texts.length < chunkLines) return this.#chunk
    this.settle()
    const block = this.#blockWithRoom(parent)
    block.lines += chunkLines
    const element = document.createElement('div')
    element.className = 'chunk'
    this.#chunk = { element, block, texts: [], rows: 0 }
    this.#chunks.push(this.#chunk)
    return this.#chunk
  }

  /** @param {Element} parent */
  #blockWithRoom(parent) {
    if (this.#block && this.#block.lines < blockLines) return this.#block
    const element = document.createElement('div')
    element.className = 'block'
    parent.append(element)
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

  /** The chunks on the screen or near it. */
  *near() {
    for (const { element } of this.blocks) {
      if (!isNear(element)) continue
      for (const chunk of element.children) if (isNear(chunk)) yield chunk
    }
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

  /** Computes the heights anew, also if the width is the same. */
  refit() {
    this.#width = 0
    this.measure()
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
}

/** @param {Element} element */
function isNear(element) {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > -400 && top < innerHeight + 400
}
