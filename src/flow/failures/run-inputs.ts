import { createHash, createHmac } from 'node:crypto'
import { matrixKeys } from '../../buildfile/expand/drafts/support.ts'
import type { Build } from '../../domain/build.ts'
import type { RunInputs } from '../../domain/failure/job-run.ts'
import type { Job } from '../../domain/job/job.ts'
import { type Repository, slugOf } from '../../domain/repository.ts'
import type { JobToRun } from '../../store/jobs/jobs-to-run.ts'
import { type RawConfig, rawConfigsOfRequest } from '../../store/requests/raw-configs.ts'
import type { Database } from '../../store/tables.ts'
import type { Context } from '../context.ts'
import type { JobSecrets } from '../secrets/job-secrets.ts'

/** The inputs that are known before a run ends; programs print their versions while it runs. */
export type KnownInputs = Omit<RunInputs, 'versions'>

/** The same text for jobs at the same position of their builds whose matrix keys, `env` aside, are the same. */
export function jobKeyOf({ number, config }: Pick<Job, 'number' | 'config'>): string {
  const keys = [...matrixKeys().keys()].filter((key) => key !== 'env').toSorted()
  const position = number.split('.').at(-1)
  return hashOf([position, keys.map((key) => config[key] ?? null)])
}

/** What a run gets besides its commit. The variables' values are hashed with a key of this installation. */
export async function knownInputs(
  ctx: Pick<Context, 'db' | 'sealer'>,
  { job, build, repository }: JobToRun,
  { variables }: JobSecrets,
  runner: string,
): Promise<KnownInputs> {
  const key = ctx.sealer.derive('hashes of variables')
  const salted = (name: string, value: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([repository?.id ?? null, name, value]))
      .digest('hex')
      .slice(0, hashLength)
  const imported = await importsFromOthers(ctx.db, build, repository)
  return {
    definition: hashOf(job.config),
    image: job.image,
    runner,
    variables: Object.fromEntries(variables.map(({ name, value }) => [name, salted(name, value)])),
    imports: Object.fromEntries(imported.map(({ source, text }) => [source, hashOf(text)])),
  }
}

/** The texts of a build's file that come from other repositories, each with the slug of its own. */
export async function importsFromOthers(
  db: Database,
  { request_id }: Pick<Build, 'request_id'>,
  repository: Pick<Repository, 'owner_name' | 'name'> | null,
): Promise<(RawConfig & { slug: string })[]> {
  const own = repository && slugOf(repository).toLowerCase()
  return (await rawConfigsOfRequest(db, request_id)).flatMap((raw) => {
    const slug = raw.source.split(':', 1)[0]?.toLowerCase() ?? ''
    return raw.sha === null || slug === own ? [] : [{ ...raw, slug }]
  })
}

const hashLength = 16

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, hashLength)
}
