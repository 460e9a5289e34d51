import type { Build } from '../build.ts'

/** Why a build file produced no jobs that can be run. */
export type ConfigError = NonNullable<Build['config_error']>

/** Codes of messages about keys without meaning here, which are expected in another service's file. */
const ofForeignKeys = ['unknown_key', 'nothing_said', 'nothing_to_run', 'unused_stage']

/** Leaves out messages about single keys if the file as a whole is another service's. */
export function withoutForeign<M extends { code: string }>(messages: readonly M[]): M[] {
  const isForeign = messages.some(({ code }) => code === 'file_of_another_service')
  return messages.filter(({ code }) => !isForeign || !ofForeignKeys.includes(code))
}

/** The messages shown to people: messages about applied defaults are no problems, and are left out too. */
export function shownMessages<M extends { code: string }>(messages: readonly M[]): M[] {
  return withoutForeign(messages).filter(({ code }) => code !== 'default')
}
