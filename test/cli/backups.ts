import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { command, type Outcome, scratchFolder } from '../support/command.ts'
import type { TestDatabase } from '../support/database.ts'
import { urlOf } from '../support/service-process.ts'

export const someKey = 'a'.repeat(64)

/** Runs the command on a given database, in a data folder that is deleted afterwards. */
export async function on(
  { connection }: TestDatabase,
  args: string[],
  env: Record<string, string> = { MASTER_KEY: someKey },
  whenDone = (_folder: string) => {},
): Promise<Outcome> {
  const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'build-service-backup-'))
  try {
    const given = { DATA_DIR, DATABASE_URL: urlOf(connection), PORT: '0', ...env }
    const outcome = await command(args, { cwd: DATA_DIR, env: given })
    whenDone(DATA_DIR)
    return outcome
  } finally {
    rmSync(DATA_DIR, { recursive: true })
  }
}

/** Backs a given database up, and returns the content of the file. */
export async function backUp(database: TestDatabase, MASTER_KEY = someKey): Promise<Buffer> {
  let content = Buffer.alloc(0)
  const made = await on(database, ['backup', 'backup.gz'], { MASTER_KEY }, (folder) => {
    content = readFileSync(path.join(folder, 'backup.gz'))
  })
  expect(made).toMatchObject({ code: 0, stderr: '' })
  return content
}

/** A file with this content, until the test ends. */
export function fileOf(content: Buffer | string): string {
  const file = path.join(scratchFolder(), 'backup.gz')
  writeFileSync(file, content)
  return file
}
