import { Transform, type Readable, type TransformCallback } from 'node:stream'

/** The bodies that are being received hold too much together, and this one holds the most of them. */
export class TooMuchUnderWay extends Error {
  readonly statusCode = 503

  constructor() {
    super('too many large webhooks at once: deliver this one again later')
  }
}

/** A body on its way in, which counts what it holds. */
export class CountedBody extends Transform {
  held = 0
  readonly #counted: (body: CountedBody) => void

  constructor(counted: (body: CountedBody) => void) {
    super()
    this.#counted = counted
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.held += chunk.length
    this.#counted(this)
    if (!this.destroyed) done(null, chunk)
  }
}

/**
 * Bounds the bytes that all bodies under way hold together. Beyond it the largest is refused, so that
 * a few large bodies, whoever sends them, do not keep small ones out.
 */
export function bodyBudget(most: number) {
  const underWay = new Set<CountedBody>()

  function makeRoom(): void {
    let sum = 0
    let largest: CountedBody | undefined
    for (const body of underWay) {
      sum += body.held
      if (body.held > (largest?.held ?? 0)) largest = body
    }
    if (sum <= most || !largest) return
    release(largest)
    largest.destroy(new TooMuchUnderWay())
  }

  function release(body: CountedBody): void {
    underWay.delete(body)
  }

  return {
    /** The body, counted until it is released. */
    count(payload: Readable): CountedBody {
      const body = new CountedBody(makeRoom)
      underWay.add(body)
      payload.on('error', (error) => body.destroy(error))
      // The rest of a refused body is read from the connection, and forgotten.
      body.on('close', () => payload.unpipe(body).resume())
      return payload.pipe(body)
    },
    release,
  }
}
