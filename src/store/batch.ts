interface Waiting<T, R> {
  item: T
  resolve(result: R): void
  reject(error: unknown): void
}

/**
 * Collects items that arrive while earlier ones are being written, and writes them together: at most
 * `most` per write, at most `atOnce` concurrent writes. A commit costs the same for one as for many.
 */
export function batched<T, R>(
  write: (items: T[]) => Promise<R[]>,
  { most, atOnce }: { most: number; atOnce: number },
): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = []
  let writing = 0

  async function flush(): Promise<void> {
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
    writing += 1
    try {
      const results = await write(batch.map(({ item }) => item))
      for (const [index, result] of results.entries()) batch[index]?.resolve(result)
      // No caller waits forever; for items that were resolved, this has no effect.
      for (const { reject } of batch) reject(new Error('a written item was not answered'))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      writing -= 1
      proceed()
    }
  }

  function proceed(): void {
    if (waiting.length > 0 && writing < atOnce) void flush()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      proceed()
    })
}
