import { applicableVariables } from '../../domain/env-var.ts'
import type { AddressedRepository } from '../../domain/repository.ts'
import { sharedSecrets } from '../../domain/shared-secrets.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import type { Decrypt } from '../../secrets/secure-value.ts'
import { envVarsOf } from '../../store/env-vars.ts'
import type { JobToRun } from '../../store/jobs-to-run.ts'
import { rawConfigsOfRequest } from '../../store/raw-configs.ts'
import { settingsOf } from '../../store/settings.ts'
import { findSshKey } from '../../store/ssh-keys.ts'
import type { Context } from '../context.ts'
import { decrypterOfBuild } from './secure-values.ts'

/** What the settings of a repository add to a job, in clear text: it must not leave the process. */
export interface JobSecrets {
  variables: { name: string; value: string; public: boolean }[]
  /** Whether the settings have secret variables that this job does not get. */
  withheld: boolean
  /** Null where the job gets no encrypted values. */
  decrypt: Decrypt | null
  ssh_key: { text: string; fingerprint: string | null } | null
}

/** Read when a job starts, so that its restart sees what was changed meanwhile. */
export async function readJobSecrets(
  ctx: Pick<Context, 'db' | 'sealer'>,
  run: JobToRun,
): Promise<JobSecrets> {
  const { job, commit, repository, from_fork } = run
  if (!repository) throw new Error(`job ${job.id} has lost its repository`)
  const [settings, variables, key] = await Promise.all([
    settingsOf(ctx.db, repository.id),
    envVarsOf(ctx.db, repository.id),
    findSshKey(ctx.db, repository.id),
  ])
  const shared = sharedSecrets(repository, settings, from_fork)
  const given = variables.filter((variable) => variable.public || shared.variables)
  return {
    variables: applicableVariables(given, commit.branch).map(
      ({ id, name, public: isPublic, sealed_value }) => ({
        name,
        value: ctx.sealer.openText(sealedIn.envVar(id), sealed_value),
        public: isPublic,
      }),
    ),
    withheld: !shared.variables && variables.some((variable) => !variable.public),
    decrypt: shared.variables ? await decrypterFor(ctx, run, repository) : null,
    ssh_key:
      key && shared.ssh_key
        ? {
            text: ctx.sealer.openText(sealedIn.sshKey(repository.id), key.sealed_value),
            fingerprint: key.fingerprint,
          }
        : null,
  }
}

async function decrypterFor(
  ctx: Pick<Context, 'db' | 'sealer'>,
  { job: { owner_id, owner_type }, build, from_fork }: JobToRun,
  { id, provider }: AddressedRepository,
): Promise<Decrypt> {
  // Whoever made a fork's pull request chose what it imports, and no other repository shares secrets.
  const raw = from_fork ? [] : await rawConfigsOfRequest(ctx.db, build.request_id)
  return decrypterOfBuild(ctx, { repository: { id, provider, owner_id, owner_type }, raw })
}
