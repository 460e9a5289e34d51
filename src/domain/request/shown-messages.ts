/** What is said of keys that mean nothing here, which follows where the file is of another service. */
const ofForeignKeys = ['unknown_key', 'nothing_said', 'nothing_to_run', 'unused_stage']

/** Messages without what is said of single keys where the file as a whole is of another service. */
export function withoutForeign<M extends { code: string }>(messages: readonly M[]): M[] {
  const isForeign = messages.some(({ code }) => code === 'file_of_another_service')
  return messages.filter(({ code }) => !isForeign || !ofForeignKeys.includes(code))
}

/** What people are shown of messages: what holds where a file says nothing is no problem either. */
export function shownMessages<M extends { code: string }>(messages: readonly M[]): M[] {
  return withoutForeign(messages).filter(({ code }) => code !== 'default')
}
