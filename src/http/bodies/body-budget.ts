import { type Readable, Transform, type TransformCallback } from 'node:stream'
import { ServiceError, wrongParams } from '../../domain/errors.ts'

/** Seconds after which a refused body can be sent again. */
const retryAfter = 30

/** The error if all incoming bodies together are too large, and this body's sender has the largest share. */
function tooMuchUnderWay(): ServiceError {
  const message = 'too many large bodies at once: send this one again later'
  return new ServiceError('unavailable', message, { retry_after: retryAfter })
}

function tooSlow(seconds: number): ServiceError {
  return wrongParams(`the body did not arrive within ${seconds} s: send it again`)
}

interface Sender {
  held: number
  /** Bodies that hold data, the oldest first. */
  bodies: Set<CountedBody>
}

interface BodyTerms {
  network: string
  /** Time limit for the body to arrive. */
  seconds: number
}

/**
 * Limits the bytes of all incoming bodies together. Above the limit, the network that holds the most
 * bytes loses its oldest body, so that no sender can keep out others, with few bodies or with many.
 */
export function bodyBudget(most: number) {
  const senders = new Map<string, Sender>()
  let sum = 0

  function counted(body: CountedBody, bytes: number): void {
    const sender = senders.get(body.network) ?? { held: 0, bodies: new Set() }
    senders.set(body.network, sender)
    sender.bodies.add(body)
    sender.held += bytes
    sum += bytes
    makeRoom()
  }

  function makeRoom(): void {
    if (sum <= most) return
    let largest: Sender | undefined
    for (const sender of senders.values()) {
      if (sender.held > (largest?.held ?? 0)) largest = sender
    }
    const [oldest] = largest?.bodies ?? []
    if (!oldest) throw new Error('what is held belongs to no body')
    release(oldest)
    oldest.destroy(tooMuchUnderWay())
    makeRoom()
  }

  function release(body: CountedBody): void {
    const sender = senders.get(body.network)
    if (!sender?.bodies.delete(body)) return
    sender.held -= body.held
    sum -= body.held
    if (sender.bodies.size === 0) senders.delete(body.network)
  }

  return {
    /** Wraps a body, which counts until it is released. */
    count(payload: Readable, { network, seconds }: BodyTerms): CountedBody {
      const body = new CountedBody(network, counted)
      const deadline = setTimeout(() => body.destroy(tooSlow(seconds)), seconds * 1000)
      body.once('end', () => clearTimeout(deadline))
      // The reader of the body gets the error; a body without a reader must not end the process.
      body.on('error', () => {})
      payload.on('error', (error) => body.destroy(error))
      // The rest of a refused body is read from the connection and discarded.
      body.once('close', () => {
        clearTimeout(deadline)
        payload.unpipe(body).resume()
      })
      return payload.pipe(body)
    },
    release,
  }
}

/** An incoming body, which reports the size of each piece before passing it on. */
export class CountedBody extends Transform {
  held = 0
  /** The network that sends the body. */
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
