import { Transform, type TransformCallback } from 'node:stream'

/** A body on its way in, which reports each piece before it lets it through. */
export class CountedBody extends Transform {
  held = 0
  /** Whose it is: the network that sends it. */
  readonly network: string
  readonly #counted: (body: CountedBody, bytes: number) => void

  constructor(network: string, counted: (body: CountedBody, bytes: number) => void) {
    super()
    this.network = network
    this.#counted = counted
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.held += chunk.length
    this.#counted(this, chunk.length)
    if (!this.destroyed) done(null, chunk)
  }
}
