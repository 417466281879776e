/* C: where the modules of backends lie that come with another package than the library. Those
 * beside the library and in the folders of ISOFOLD_BACKEND_PATH are found without it. */
#ifndef ISOFOLD_BACKEND_FOLDER_H
#define ISOFOLD_BACKEND_FOLDER_H

#include <isofold/isofold.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds a folder in which modules (isofold-cuda.so) are looked for, behind the library's own and in
 * front of those of ISOFOLD_BACKEND_PATH. `version` is that of the package that brings the folder,
 * or NULL: modules in a folder of another version than isofold_version() are refused before they
 * are loaded, all others when they say of themselves that they are of another one, and
 * isofold_backend_reason() says so. A backend is looked for once, when it is first asked for, so
 * folders are added before. A static library looks for no modules. */
ISOFOLD_API int32_t isofold_add_backend_folder(const char* folder, const char* version);

#ifdef __cplusplus
}
#endif

#endif
