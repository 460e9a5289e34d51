import { buildEndpoints } from './build.ts'
import { envVarEndpoints } from './env-var.ts'
import { homeEndpoints } from './home.ts'
import { hookWriteEndpoints } from './hook-write.ts'
import { jobLogEndpoints } from './job-log.ts'
import { jobEndpoints } from './job.ts'
import { lintEndpoints } from './lint.ts'
import { repositoryKeyEndpoints } from './repository-key.ts'
import { repositoryEndpoints } from './repository.ts'
import { requestEndpoints } from './request.ts'
import { settingsEndpoints } from './settings.ts'
import { sshKeyEndpoints } from './ssh-key.ts'

/** Every endpoint of V2.1. */
export const v2Endpoints = [
  ...homeEndpoints,
  ...repositoryEndpoints,
  ...buildEndpoints,
  ...jobEndpoints,
  ...jobLogEndpoints,
  ...requestEndpoints,
  ...lintEndpoints,
  ...repositoryKeyEndpoints,
  ...settingsEndpoints,
  ...envVarEndpoints,
  ...sshKeyEndpoints,
  ...hookWriteEndpoints,
]
