// Output on its way into the log: in lines, and in slices of time.
import { pause, slice } from './page-parts.js'

export class LogFeed {
  #waiting = ''
  #round = 0
  #isDrawing = false
  #drawing = Promise.resolve()

  /**
   * @param {import('./log-view.js').LogView} view
   * @param {() => void} drawn called when all lines so far are drawn
   */
  constructor(view, drawn) {
    this.view = view
    this.drawn = drawn
  }

  /** Adds output, and resolves when it is drawn. @param {string} text */
  add(text) {
    this.#waiting += text
    if (!this.#isDrawing) this.#drawing = this.#draw(this.#round)
    return this.#drawing
  }

  /** The output has ended: its last line needs no line break. */
  async end() {
    await this.#drawing
    if (this.#waiting !== '') await this.add('\n')
  }

  /** Forgets all output. */
  async clear() {
    this.#round += 1
    await this.#drawing
    this.#waiting = ''
    this.view.clear()
  }

  /** @param {number} round */
  async #draw(round) {
    const { view } = this
    this.#isDrawing = true
    let ends = performance.now() + slice
    while (round === this.#round && this.#waiting.includes('\n')) {
      const text = this.#waiting
      this.#waiting = ''
      let at = 0
      for (let next = text.indexOf('\n'); next !== -1; next = text.indexOf('\n', at)) {
        view.add(text.slice(at, next))
        at = next + 1
        if (performance.now() < ends) continue
        await pause()
        if (round !== this.#round) break
        ends = performance.now() + slice
      }
      this.#waiting = text.slice(at) + this.#waiting
    }
    this.#isDrawing = false
    view.settle()
    view.grow(this.#waiting)
    this.drawn()
  }
}
