import { ownBranch } from '../../domain/commit.ts'
import { applicableVariables } from '../../domain/env-var.ts'
import { sharedSecrets } from '../../domain/job/shared-secrets.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import type { Decrypt } from '../../secrets/secure-value.ts'
import type { JobToRun } from '../../store/jobs-to-run.ts'
import { rawConfigsOfRequest } from '../../store/raw-configs.ts'
import type { Context } from '../context.ts'
import { encryptedIn } from './encrypted-in.ts'
import { decryptValues } from './secure-values.ts'

/** What the settings of a repository add to a job, in clear text: it must not leave the process. */
export interface JobSecrets {
  variables: { name: string; value: string; public: boolean }[]
  /** Whether the settings have secret variables that this job does not get. */
  withheld: boolean
  /** Null where the job gets no encrypted values. */
  decrypt: Decrypt | null
  ssh_key: { text: string; fingerprint: string | null } | null
}

/** Opens what a job gets, which is read when it starts, so that its restart sees what was changed. */
export async function readJobSecrets(
  ctx: Pick<Context, 'db' | 'sealer'>,
  run: JobToRun,
): Promise<JobSecrets> {
  const { job, commit, repository, from_fork, settings, variables, ssh_key } = run
  if (!repository) throw new Error(`job ${job.id} has lost its repository`)
  const shared = sharedSecrets(repository, settings, from_fork)
  const given = variables.filter((variable) => variable.public || shared.variables)
  return {
    variables: applicableVariables(given, ownBranch(commit)).map(
      ({ id, name, public: isPublic, sealed_value }) => ({
        name,
        value: ctx.sealer.openText(sealedIn.envVar(id), sealed_value),
        public: isPublic,
      }),
    ),
    withheld: !shared.variables && variables.some((variable) => !variable.public),
    decrypt: shared.variables ? await decrypterFor(ctx, run, repository) : null,
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
  return decryptValues(ctx, { repository, raw }, values)
}
