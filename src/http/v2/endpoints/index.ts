import { buildWriteEndpoints } from './build-writes.ts'
import { buildEndpoints } from './build.ts'
import { homeEndpoints } from './home.ts'
import { jobWriteEndpoints } from './job-writes.ts'
import { jobEndpoints } from './job.ts'
import { lintEndpoints } from './lint.ts'
import { logEndpoints } from './log.ts'
import { repositoryEndpoints } from './repository.ts'
import { requestEndpoints } from './request.ts'

/** Every endpoint of V2.1. */
export const v2Endpoints = [
  ...homeEndpoints,
  ...repositoryEndpoints,
  ...buildEndpoints,
  ...buildWriteEndpoints,
  ...jobEndpoints,
  ...jobWriteEndpoints,
  ...logEndpoints,
  ...requestEndpoints,
  ...lintEndpoints,
]
