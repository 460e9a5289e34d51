interface Waiting<T, R> {
  item: T
  resolve(result: R): void
  reject(error: unknown): void
}

/**
 * Collects items, and writes them together: items that arrive within two turns of the event loop, and
 * items that arrive while earlier ones are being written. A write has at most `most` items, and at most
 * `atOnce` writes run at a time. A statement or a commit costs nearly the same for one item as for many.
 */
export function batched<T, R>(
  write: (items: T[]) => Promise<R[]>,
  { most, atOnce }: { most: number; atOnce: number },
): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = []
  let writing = 0
  let isGathering = false

  async function flush(): Promise<void> {
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
    writing += 1
    try {
      const results = await write(batch.map(({ item }) => item))
      for (const [index, { resolve, reject }] of batch.entries()) {
        // Otherwise its caller would wait forever.
        if (index in results) resolve(results[index] as R)
        else reject(new Error('a written item was not answered'))
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      writing -= 1
      proceed()
    }
  }

  function proceed(): void {
    while (waiting.length > 0 && writing < atOnce) void flush()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isGathering) return
      isGathering = true
      // One turn later than the first item: items read from other connections by then are included.
      setImmediate(() =>
        setImmediate(() => {
          isGathering = false
          proceed()
        }),
      )
    })
}
