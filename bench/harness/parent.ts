/** Sends a message to the parent process. */
export function tell(message: object): void {
  process.send?.(message)
}

type Answers = Readonly<Record<string, (value: never) => unknown>>

/** Handles requests of the parent process, by name. */
export function answer(questions: Answers): void {
  process.on('message', (message: Record<string, never>) => {
    for (const [member, value] of Object.entries(message)) {
      const reply = questions[member]
      if (reply) void Promise.resolve(reply(value)).then((said) => tell({ [member]: said ?? true }))
    }
  })
}

/** Closes when the process that started this one lets go of it, or is gone. */
export function closeAtLast(close: () => Promise<unknown>): void {
  process.once('disconnect', () => {
    void close().finally(() => process.exit())
  })
}
