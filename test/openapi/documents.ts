import { v2Endpoints } from '../../src/http/v2/endpoints/index.ts'
import { openApi as openApiOfV2 } from '../../src/http/v2/openapi/document.ts'
import { v3Actions } from '../../src/http/v3/endpoints.ts'
import { openApi as openApiOfV3 } from '../../src/http/v3/openapi/document.ts'

const site = { url: 'https://ci.example.org', version: '1.0.0' }

/** The documents of the API, by the names of their files. */
export const documents = {
  'v2.1': openApiOfV2(v2Endpoints, site),
  v3: openApiOfV3(v3Actions, site),
}
