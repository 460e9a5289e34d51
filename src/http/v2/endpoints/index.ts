import { buildEndpoints } from './build.ts'
import { cacheEndpoints } from './caches.ts'
import { handshakeEndpoints } from './handshake.ts'
import { homeEndpoints } from './home.ts'
import { jobLogEndpoints } from './job-log.ts'
import { jobEndpoints } from './job.ts'
import { lintEndpoints } from './lint.ts'
import { logoutEndpoints } from './logout.ts'
import { repositoryEndpoints } from './repository.ts'
import { requestEndpoints } from './request.ts'
import { streamingEndpoints } from './streaming.ts'
import { tokenExchangeEndpoints } from './token-exchange.ts'
import { userChangeEndpoints } from './user-change.ts'
import { userSyncEndpoints } from './user-sync.ts'

/** Every endpoint of V2.1. */
export const v2Endpoints = [
  ...homeEndpoints,
  ...repositoryEndpoints,
  ...buildEndpoints,
  ...jobEndpoints,
  ...jobLogEndpoints,
  ...requestEndpoints,
  ...lintEndpoints,
  ...cacheEndpoints,
  ...userChangeEndpoints,
  ...userSyncEndpoints,
  ...tokenExchangeEndpoints,
  ...handshakeEndpoints,
  ...logoutEndpoints,
  ...streamingEndpoints,
]
