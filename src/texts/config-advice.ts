import type { ConfigError } from '../domain/request/config-errors.ts'

/** What to do about each error. */
export const configAdvice: Readonly<Record<ConfigError, string>> = {
  parse: 'Fix the file and push again; check it first with: build-service lint',
  import: 'Fix or remove the import, and push again.',
  fetch:
    'Nothing is wrong with the file itself. Restart the build; if the code host seems to work, ask the operator.',
  too_costly: 'Make the file shorter, or its lists and its matrix smaller, and push again.',
  too_many_jobs: 'Make the matrix smaller, or exclude jobs, and push again.',
}
