import { accountEndpoints } from './account.ts'
import { branchEndpoints } from './branch.ts'
import { broadcastEndpoints } from './broadcast.ts'
import { buildListEndpoints } from './build-list.ts'
import { buildWriteEndpoints } from './build-writes.ts'
import { buildEndpoints } from './build.ts'
import { cacheEndpoints } from './caches.ts'
import { envVarEndpoints } from './env-var.ts'
import { feedEndpoints } from './feeds.ts'
import { handshakeEndpoints } from './handshake.ts'
import { homeEndpoints } from './home.ts'
import { hookListEndpoints } from './hook-list.ts'
import { hookWriteEndpoints } from './hook-write.ts'
import { jobListEndpoints } from './job-list.ts'
import { jobWriteEndpoints } from './job-writes.ts'
import { jobEndpoints } from './job.ts'
import { lintEndpoints } from './lint.ts'
import { logEndpoints } from './log.ts'
import { logoutEndpoints } from './logout.ts'
import { permissionListEndpoints } from './permission-list.ts'
import { repositoryKeyEndpoints } from './repository-key.ts'
import { repositoryListEndpoints } from './repository-list.ts'
import { repositoryEndpoints } from './repository.ts'
import { requestRestartEndpoints } from './request-restart.ts'
import { requestEndpoints } from './request.ts'
import { settingsEndpoints } from './settings.ts'
import { sshKeyEndpoints } from './ssh-key.ts'
import { statusImageEndpoints } from './status-image.ts'
import { streamingEndpoints } from './streaming.ts'
import { tokenExchangeEndpoints } from './token-exchange.ts'
import { unsubscribeEndpoints } from './unsubscribe.ts'
import { userChangeEndpoints } from './user-change.ts'
import { userSyncEndpoints } from './user-sync.ts'
import { userEndpoints } from './user.ts'

/** Every endpoint of V2.1. */
export const v2Endpoints = [
  ...homeEndpoints,
  ...accountEndpoints,
  ...branchEndpoints,
  ...broadcastEndpoints,
  ...repositoryEndpoints,
  ...feedEndpoints,
  ...statusImageEndpoints,
  ...repositoryListEndpoints,
  ...buildEndpoints,
  ...buildListEndpoints,
  ...hookListEndpoints,
  ...jobEndpoints,
  ...jobListEndpoints,
  ...permissionListEndpoints,
  ...buildWriteEndpoints,
  ...jobWriteEndpoints,
  ...logEndpoints,
  ...requestEndpoints,
  ...requestRestartEndpoints,
  ...userEndpoints,
  ...lintEndpoints,
  ...cacheEndpoints,
  ...userChangeEndpoints,
  ...userSyncEndpoints,
  ...tokenExchangeEndpoints,
  ...handshakeEndpoints,
  ...logoutEndpoints,
  ...streamingEndpoints,
  ...repositoryKeyEndpoints,
  ...settingsEndpoints,
  ...envVarEndpoints,
  ...sshKeyEndpoints,
  ...hookWriteEndpoints,
  ...unsubscribeEndpoints,
]
