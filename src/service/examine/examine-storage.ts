import type { Config } from '../../config/config.ts'
import { counted } from '../../domain/text/counted.ts'
import type { Database } from '../../store/tables.ts'
import { readSizes } from '../../store/upkeep/retention.ts'
import type { Examined } from './examined.ts'

const size = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`

/**
 * The space that builds and logs take in the database, and the age and number beyond which they are
 * deleted.
 */
export async function examineStorage(
  { logDays, buildDays, buildsKept }: Config,
  { db }: { db: Database },
): Promise<Examined> {
  const { database, logs, objects, builds, largest } = await readSizes(db)
  const most = largest === null ? '' : `, most of them of ${largest}`
  const limits = [
    logDays > 0 && `logs after ${counted(logDays, 'day')} (LOG_DAYS)`,
    buildDays > 0 &&
      `builds after ${counted(buildDays, 'day')} (BUILD_DAYS) except the newest ${buildsKept} of each branch (BUILDS_KEPT)`,
  ].filter((limit) => limit !== false)
  const found =
    `the database has ${size(database)} with ${counted(builds, 'build')}, of which logs take ` +
    `${size(logs)}, and compressed ones outside of it ${size(objects)}${most}; ` +
    (limits.length === 0
      ? 'builds and logs are kept forever, because LOG_DAYS and BUILD_DAYS are not set'
      : `deleted are ${limits.join(', ')}`)
  return { subject: 'storage', verdict: 'ok', found }
}
