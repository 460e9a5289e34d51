/** Resolves when the process is told to stop. A second signal ends it at once. */
export function untilStopped(heard: (signal: string) => void): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130))
        heard(signal)
        resolve()
      })
    }
  })
}
