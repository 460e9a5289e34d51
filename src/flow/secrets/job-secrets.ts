import { ownBranch } from '../../domain/commit/commit.ts'
import { applicableVariables, withVariablesOfOwner } from '../../domain/env-var.ts'
import { sharedSecrets } from '../../domain/job/isolation.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import type { Decrypt } from '../../secrets/secure-value.ts'
import { configOfBuild } from '../../store/builds/builds.ts'
import type { JobToRun } from '../../store/jobs/jobs-to-run.ts'
import { rawConfigsOfRequest } from '../../store/requests/raw-configs.ts'
import type { Context } from '../context.ts'
import { encryptedIn } from './encrypted-in.ts'
import { decryptValues } from './secure-values.ts'

/** A variable of the settings, in clear text, and whether an owner's or a repository's settings have it. */
interface JobVariable {
  name: string
  value: string
  public: boolean
  of: 'owner' | 'repository'
}

/** The secrets that the settings add to a job, in clear text: they must not leave the process. */
export interface JobSecrets {
  variables: JobVariable[]
  /** Whether there are secret variables of the repository that this job does not get. */
  withheld: boolean
  /** Whether there are variables of its owner that this job does not get. */
  withheld_of_owner: boolean
  /** Null if the job gets no encrypted values. */
  decrypt: Decrypt | null
  /** Whether there is a private key of the repository that this job does not get. */
  withheld_ssh_key: boolean
  ssh_key: { text: string; fingerprint: string | null } | null
}

/** Opens a job's secrets. They are read when the job starts, so that a restart uses changed settings. */
export async function readJobSecrets(
  ctx: Pick<Context, 'db' | 'sealer'>,
  run: JobToRun,
): Promise<JobSecrets> {
  const { job, commit, repository, from_fork, settings, ssh_key } = run
  if (!repository) throw new Error(`job ${job.id} has lost its repository`)
  const shared = sharedSecrets(repository, settings, {
    from_fork,
    without_approval: run.build.without_approval,
  })
  const ofOwner = run.variables.filter(({ owner_id }) => owner_id !== null)
  const variables = run.variables.filter(({ owner_id }) => owner_id === null)
  const given = variables.filter((variable) => variable.public || shared.variables)
  return {
    variables: withVariablesOfOwner(
      // An owner's variables are never for a fork, no matter what the repository shares.
      from_fork ? [] : ofOwner,
      applicableVariables(given, ownBranch(commit)),
    ).map(({ id, owner_id, name, public: isPublic, sealed_value }) => ({
      name,
      value: ctx.sealer.openText(sealedIn.envVar(id), sealed_value),
      public: isPublic,
      of: owner_id === null ? 'repository' : 'owner',
    })),
    withheld: !shared.variables && variables.some((variable) => !variable.public),
    withheld_of_owner: from_fork && ofOwner.length > 0,
    decrypt: shared.variables ? await decrypterFor(ctx, run, repository) : null,
    withheld_ssh_key: Boolean(ssh_key) && !shared.ssh_key,
    ssh_key:
      ssh_key && shared.ssh_key
        ? {
            text: ctx.sealer.openText(sealedIn.sshKey(repository.id), ssh_key.sealed_value),
            fingerprint: ssh_key.fingerprint,
          }
        : null,
  }
}

async function decrypterFor(
  ctx: Pick<Context, 'db' | 'sealer'>,
  { job: { config }, build, from_fork }: JobToRun,
  repository: NonNullable<JobToRun['repository']>,
): Promise<Decrypt> {
  const values = encryptedIn(config).map(({ value }) => value)
  if (values.length === 0) return () => undefined
  // The author of a fork's pull request chooses its imports, so keys of imported repositories are not used.
  const raw = from_fork ? [] : await rawConfigsOfRequest(ctx.db, build.request_id)
  const decrypt = await decryptValues(ctx, { repository, raw }, values)
  if (values.every((value) => decrypt(value) !== undefined)) return decrypt
  const paths = await pathsInBuild(ctx, build.id)
  return Object.assign(decrypt, { where: (value: string) => paths.get(value) })
}

/** The paths of a build's encrypted values in its build file, by value, unless imports move them. */
async function pathsInBuild({ db }: Pick<Context, 'db'>, id: number): Promise<Map<string, string>> {
  const found = encryptedIn(await configOfBuild(db, id))
  return new Map(found.toReversed().map(({ value, path }) => [value, path]))
}
