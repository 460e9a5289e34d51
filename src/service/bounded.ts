import { ServiceError } from '../domain/errors.ts'

/**
 * The same work, refused as unavailable while what is under way holds so many bytes: whoever waits for it
 * may have gone, which frees nothing.
 */
export function bounded<T, R>(
  work: (item: T) => Promise<R>,
  { most, sizeOf }: { most: number; sizeOf: (item: T) => number },
): (item: T) => Promise<R> {
  let held = 0
  return async (item) => {
    const size = sizeOf(item)
    if (held > 0 && held + size > most) {
      const message = 'too much waits to be stored: send this again later'
      throw new ServiceError('unavailable', message, { retry_after: 30 })
    }
    held += size
    try {
      return await work(item)
    } finally {
      held -= size
    }
  }
}
