import type { Build } from '../build.ts'

/** Why a build file produced no jobs that can be run. */
export type ConfigError = NonNullable<Build['config_error']>

/** What to do about each error. */
export const configAdvice: Readonly<Record<ConfigError, string>> = {
  parse: 'Fix the file and push again; check it first with: build-service lint',
  import: 'Fix or remove the import, and push again.',
  fetch:
    'Nothing is wrong with the file itself. Restart the build; if the code host seems to work, ask the operator.',
  too_costly: 'Make the file shorter, or its lists and its matrix smaller, and push again.',
  too_many_jobs: 'Make the matrix smaller, or exclude jobs, and push again.',
}

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
