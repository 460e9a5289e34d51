import { createHash, createHmac } from 'node:crypto'
import { matrixKeys } from '../../buildfile/expand/drafts/support.ts'
import type { Build } from '../../domain/build.ts'
import type { RunInputs } from '../../domain/failure/outside.ts'
import { grouped } from '../../domain/grouped.ts'
import type { Job } from '../../domain/job/job.ts'
import { type Repository, slugOf } from '../../domain/repository.ts'
import type { JobToRun } from '../../store/jobs/jobs-to-run.ts'
import { type RawConfig, rawConfigsOfRequest } from '../../store/requests/raw-configs.ts'
import type { Database } from '../../store/tables.ts'
import type { Context } from '../context.ts'
import type { JobSecrets } from '../secrets/job-secrets.ts'

/** The inputs that are known before a run ends; programs print their versions while it runs. */
export type KnownInputs = Omit<RunInputs, 'versions'>

/**
 * A text that is equal for jobs at the same position of their builds with the same matrix keys,
 * except `env`.
 */
export function jobKeyOf({ number, config }: Pick<Job, 'number' | 'config'>): string {
  const keys = [...matrixKeys().keys()].filter((key) => key !== 'env').toSorted()
  const position = number.split('.').at(-1)
  return hashOf([position, keys.map((key) => config[key] ?? null)])
}

/** The inputs of a run other than its commit. The variables' values are hashed with a key of this installation. */
export async function knownInputs(
  ctx: Pick<Context, 'db' | 'sealer'>,
  { job, build, commit, repository }: JobToRun,
  { variables }: JobSecrets,
  runner: string,
): Promise<KnownInputs> {
  const key = ctx.sealer.derive('hashes of variables')
  const salted = (name: string, value: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([repository?.id ?? null, name, value]))
      .digest('hex')
      .slice(0, hashLength)
  const imported = (await textsOf(ctx.db, build)).filter(
    // A file of the repository itself is part of the commit, unless it was imported from another commit.
    ({ slug, sha }) => slug !== ownSlug(repository) || sha !== commit.sha,
  )
  return {
    definition: hashOf(job.config),
    image: null,
    image_id: null,
    runner,
    event: build.event_type,
    variables: Object.fromEntries(variables.map(({ name, value }) => [name, salted(name, value)])),
    imports: Object.fromEntries(
      [...grouped(imported, fileOf)].map(([file, raws]) => [
        file,
        hashOf(raws.map(({ text }) => text)),
      ]),
    ),
  }
}

/**
 * The texts of a build's file that come from other repositories, each with the slug of its
 * repository.
 */
export async function importsFromOthers(
  db: Database,
  { request_id }: Pick<Build, 'request_id'>,
  repository: NamedRepository,
): Promise<(RawConfig & { slug: string })[]> {
  const own = ownSlug(repository)
  return (await textsOf(db, { request_id })).filter(({ slug }) => slug !== own)
}

type NamedRepository = Pick<Repository, 'owner_name' | 'name'> | null

export const ownSlug = (repository: NamedRepository) =>
  repository && slugOf(repository).toLowerCase()

/** The texts of a build's file that come from commits, each with the slug of its repository. */
async function textsOf(db: Database, { request_id }: Pick<Build, 'request_id'>) {
  return (await rawConfigsOfRequest(db, request_id)).flatMap((raw) =>
    raw.sha === null ? [] : [{ ...raw, slug: slugOfSource(raw.source) }],
  )
}

/**
 * The slug, in lower case, of the repository that a file comes from: `octavia/shared` of
 * `octavia/shared:ci.yml`.
 */
export const slugOfSource = (source: string): string => source.split(':', 1)[0]?.toLowerCase() ?? ''

/** The source without the commit that its reference resolved to: `octavia/shared:ci.yml`. */
const fileOf = ({ source, sha }: RawConfig) => source.replace(new RegExp(`@${sha}$`), '')

const hashLength = 16

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, hashLength)
}
