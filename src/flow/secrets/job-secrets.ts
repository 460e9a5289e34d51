import { ownBranch } from '../../domain/commit.ts'
import { applicableVariables, withVariablesOfOwner } from '../../domain/env-var.ts'
import { sharedSecrets } from '../../domain/job/shared-secrets.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import type { Decrypt } from '../../secrets/secure-value.ts'
import type { JobToRun } from '../../store/jobs-to-run.ts'
import { configOfBuild } from '../../store/config-of-build.ts'
import { rawConfigsOfRequest } from '../../store/raw-configs.ts'
import type { Context } from '../context.ts'
import { encryptedIn } from './encrypted-in.ts'
import { decryptValues } from './secure-values.ts'

/** A variable of the settings, in clear text, with whose settings they are. */
interface JobVariable {
  name: string
  value: string
  public: boolean
  of: 'owner' | 'repository'
}

/** What the settings of a repository add to a job, in clear text: it must not leave the process. */
export interface JobSecrets {
  variables: JobVariable[]
  /** Whether there are secret variables of the repository that this job does not get. */
  withheld: boolean
  /** Whether there are variables of its owner that this job does not get. */
  withheld_of_owner: boolean
  /** Null where the job gets no encrypted values. */
  decrypt: Decrypt | null
  /** Whether there is a private key of the repository that this job does not get. */
  withheld_ssh_key: boolean
  ssh_key: { text: string; fingerprint: string | null } | null
}

/** Opens what a job gets, which is read when it starts, so that its restart sees what was changed. */
export async function readJobSecrets(
  ctx: Pick<Context, 'db' | 'sealer'>,
  run: JobToRun,
): Promise<JobSecrets> {
  const { job, commit, repository, from_fork, settings, ssh_key } = run
  if (!repository) throw new Error(`job ${job.id} has lost its repository`)
  const shared = sharedSecrets(repository, settings, from_fork)
  const ofOwner = run.variables.filter(({ owner_id }) => owner_id !== null)
  const variables = run.variables.filter(({ owner_id }) => owner_id === null)
  const given = variables.filter((variable) => variable.public || shared.variables)
  return {
    variables: withVariablesOfOwner(
      // Those of an owner are not for a fork, whatever the repository shares.
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
  // Whoever made a fork's pull request chose what it imports, and no other repository shares secrets.
  const raw = from_fork ? [] : await rawConfigsOfRequest(ctx.db, build.request_id)
  const decrypt = await decryptValues(ctx, { repository, raw }, values)
  if (values.every((value) => decrypt(value) !== undefined)) return decrypt
  const paths = await pathsInBuild(ctx, build.id)
  return Object.assign(decrypt, { where: (value: string) => paths.get(value) })
}

/** Where the encrypted values of a build stand in its build file, as far as imports do not move them. */
async function pathsInBuild({ db }: Pick<Context, 'db'>, id: number): Promise<Map<string, string>> {
  const found = encryptedIn(await configOfBuild(db, id))
  return new Map(found.toReversed().map(({ value, path }) => [value, path]))
}
