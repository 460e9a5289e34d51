import { repositoryRights } from '../../../access/repository-rights.ts'
import { lastFinishedOn } from '../../../store/builds/listed-builds.ts'
import { get } from '../../core/endpoint.ts'
import { filterText } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { imageType, statusImage } from '../feeds/status-image.ts'
import { oneRepository, repositoryPaths } from '../one-repository.ts'

/** SVG, whatever `Accept` says; an invalid token is ignored. */
const ofImages = { negotiates: false, feed: 'image' } as const

/** The paths of images: `.svg`, and `.png`, which redirects to it. */
export const imagePaths = (ending: string) => [...repositoryPaths(ending), `/:owner/:name${ending}`]

export const statusImageEndpoints = [
  get(imagePaths('.svg'), {
    ...ofImages,
    docs: {
      summary: 'the state of the last finished build of a branch, as an image for a README',
      types: [imageType],
    },
    accepts: { branch: described('the branch, if not the default one', filterText()) },
    async answer(call, { branch }) {
      const repository = await oneRepository.find(call)
      // An image does not reveal whether a repository exists.
      const isSeen = repository && repositoryRights(call.viewer, repository).read
      const shown = branch ?? repository?.default_branch_name ?? ''
      const build = isSeen ? await lastFinishedOn(call.ctx.db, repository, shown) : undefined
      const ifNoneMatch = call.request.headers['if-none-match']
      return statusImage(build, { now: call.ctx.now(), ifNoneMatch })
    },
  }),
]
