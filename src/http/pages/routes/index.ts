import { buildPages } from './build.ts'
import { homePages } from './home.ts'
import { jobPages } from './job.ts'
import { repositoryPages } from './repository.ts'

/** Every page. The first segments of the API's paths are not names of owners (D29). */
export const pages = [...homePages, ...repositoryPages, ...buildPages, ...jobPages]
