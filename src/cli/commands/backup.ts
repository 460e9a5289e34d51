import path from 'node:path'
import { type Config, readConfig } from '../../config/config.ts'
import { shownTime } from '../../domain/time/shown-time.ts'
import { backUp } from '../../service/backup/back-up.ts'
import type { CopyOptions } from '../../service/backup/copying-client.ts'
import type { KeyOfBackup } from '../../service/backup/key-of-backup.ts'
import { restore } from '../../service/backup/restore.ts'
import type { Progress } from '../../store/backup/format.ts'
import { createLog } from '../log.ts'
import { endAs, stopSignal } from '../signals.ts'

/** Writes the database into a file. */
export async function backup(named: string): Promise<void> {
  await withFile(named, async (config, options) => {
    const { bytes, key, outside, ...copied } = await backUp(config, options)
    console.log(`backed up ${counted(copied)} to ${options.file} (${sizeOf(bytes)})`)
    console.log(`the master key is not in the backup: ${copyOfKey(key)}`)
    for (const { place, count } of outside) {
      const where = place === 'file:' ? `${config.dataDir}/objects` : place
      console.log(
        `not in the backup: ${logs(count)} in ${where}; back up that place as well, after the database`,
      )
    }
  })
}

/** Restores a backup file into an empty database. */
export async function restoreBackup(named: string): Promise<void> {
  await withFile(named, async (config, options) => {
    const { made, key, skipped, migrated, ...copied } = await restore(config, options)
    const time = shownTime(new Date(made.created_at))
    console.log(
      `restored ${counted(copied)} from ${options.file}, made at ${time} by build-service ${made.version}`,
    )
    for (const name of skipped) {
      console.log(`left out ${name}, which is not a table of build-service`)
    }
    for (const name of migrated) console.log(`ran ${name}`)
    if (key.fits === 'missing') console.log(missingKey(key))
  })
}

type Work = (config: Config, options: CopyOptions) => Promise<void>

/** An interrupted command leaves neither a partial backup nor a partial database. */
async function withFile(named: string, work: Work): Promise<void> {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const stop = stopSignal(() => showLine('Stopping …\n'))
  await endAs(stop, async () => {
    const options = {
      file: path.resolve(named),
      log: createLog(config),
      stop,
      onProgress: shower(),
    }
    await work(config, options).finally(() => showLine(''))
    return 0
  })
}

/** Shows the progress, often enough to be seen moving. */
function shower(): (progress: Progress) => void {
  let shown = ''
  return ({ tables, of, bytes }) => {
    const text = tables === of ? '' : `${tables} of ${of} tables, ${(bytes / 1e6).toFixed(0)} MB`
    if (text !== shown) showLine(text)
    shown = text
  }
}

/** Replaces the last line on a terminal; on other outputs, only the result is shown. */
function showLine(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`)
}

const logs = (count: number) => (count === 1 ? '1 finished log' : `${number(count)} finished logs`)
const number = (value: number) => value.toLocaleString('en-US')
const counted = ({ tables, rows }: Pick<Progress, 'tables' | 'rows'>) =>
  `${number(tables)} tables with ${number(rows)} rows`
const sizeOf = (bytes: number) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

function copyOfKey({ place, fits }: KeyOfBackup): string {
  if (fits === 'yes') {
    return (
      `keep a copy of ${place} in another place. Without the key, no one can read the secrets of the ` +
      'backup, and the service does not start with its data.'
    )
  }
  const here = fits === 'no' ? `${place} holds a different key` : 'there is none here'
  return (
    `keep a copy of the key that the service uses (${here}). Without the key, no one can read the ` +
    'secrets of the backup, and the service does not start with its data.'
  )
}

const missingKey = ({ place }: KeyOfBackup) =>
  `the master key is missing: before you start the service, copy the key of the service that was backed up to ` +
  `${place} (mode 600), or set MASTER_KEY to it. Without it the service does not start.`
