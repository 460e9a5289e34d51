import { fileURLToPath } from 'node:url'
import type { Config } from '../config/config.ts'

/**
 * The line of shell by which git's hooks call this program: this installation, on this data
 * directory, independent of the environment of the committing user.
 */
export function hookCommand({ dataDir }: Pick<Config, 'dataDir'>, repository: string): string {
  const program = fileURLToPath(new URL('../../bin/build-service.js', import.meta.url))
  const words = [
    'env',
    `DATA_DIR=${dataDir}`,
    process.execPath,
    program,
    'local',
    'notify',
    repository,
  ]
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
