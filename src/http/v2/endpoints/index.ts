import { buildEndpoints } from './build.ts'
import { homeEndpoints } from './home.ts'
import { jobLogEndpoints } from './job-log.ts'
import { jobEndpoints } from './job.ts'
import { lintEndpoints } from './lint.ts'
import { repositoryEndpoints } from './repository.ts'
import { requestEndpoints } from './request.ts'

/** Every endpoint of V2.1. */
export const v2Endpoints = [
  ...homeEndpoints,
  ...repositoryEndpoints,
  ...buildEndpoints,
  ...jobEndpoints,
  ...jobLogEndpoints,
  ...requestEndpoints,
  ...lintEndpoints,
]
