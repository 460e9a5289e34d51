import type { Readable } from 'node:stream'
import { ServiceError, wrongParams } from '../../domain/errors.ts'
import { CountedBody } from './counted-body.ts'

/** Seconds after which a refused body can be sent again. */
const retryAfter = 30

/** The bodies that are being received hold too much together, and whoever sends this one most of it. */
function tooMuchUnderWay(): ServiceError {
  const message = 'too many large bodies at once: send this one again later'
  return new ServiceError('unavailable', message, { retry_after: retryAfter })
}

function tooSlow(seconds: number): ServiceError {
  return wrongParams(`the body did not arrive within ${seconds} s: send it again`)
}

interface Sender {
  held: number
  /** Those that hold something, the oldest first. */
  bodies: Set<CountedBody>
}

interface BodyTerms {
  network: string
  /** So long the body can take to arrive. */
  seconds: number
}

/**
 * Bounds the bytes that all bodies under way hold together. Beyond it the network that holds most of
 * them loses its oldest body, so that no one keeps out others, whether with few bodies or with many.
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
    /** The body, counted until it is released. */
    count(payload: Readable, { network, seconds }: BodyTerms): CountedBody {
      const body = new CountedBody(network, counted)
      const deadline = setTimeout(() => body.destroy(tooSlow(seconds)), seconds * 1000)
      body.once('end', () => clearTimeout(deadline))
      // Whoever reads the body is told; one that nobody reads must not end the process.
      body.on('error', () => {})
      payload.on('error', (error) => body.destroy(error))
      // The rest of a refused body is read from the connection, and forgotten.
      body.once('close', () => {
        clearTimeout(deadline)
        payload.unpipe(body).resume()
      })
      return payload.pipe(body)
    },
    release,
  }
}
