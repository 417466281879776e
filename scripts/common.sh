# The common part of scripts/demo and scripts/test: finding the repository, installing what is missing, building. Other
# scripts source it with bash; it is never run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Compiler, build tools, and the libraries of the program.
basic_packages=(g++ cmake ninja-build python3 libcli11-dev nlohmann-json3-dev zlib1g-dev libgomp1)
# The peers of isofold_bench: Eigen, the standard library on TBB, OpenBLAS.
peer_packages=(libeigen3-dev libtbb-dev libopenblas-dev)
# The packages that the tests compare with and compile for, too: GoogleTest, Kokkos, MPI, the HIP compiler, linters,
# what makes a Python package.
test_packages=("${basic_packages[@]}" "${peer_packages[@]}" libgtest-dev libtrilinos-kokkos-dev libopenmpi-dev
               openmpi-bin hipcc lld-15 clang libomp-dev gfortran pkg-config git clang-format clang-tidy python3-pip
               python3-venv python3-dev python3-jsonschema)

say() { printf '\n== %s\n' "$*"; }

# The build trees reuse compiled objects where ccache happens to be installed.
launcher=()
if command -v ccache >/dev/null; then
  launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
fi

# Installs the Debian packages that are missing, or says which to install.
install_missing() {
  if ! command -v dpkg-query >/dev/null; then
    echo "No Debian packages here: make sure that these are installed in your system's way: $*"
    return
  fi
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "Please install these packages first: sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  say "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# python_tools FOLDER: an environment in FOLDER with the programs of PyPI that tests run, Sphinx and fpm. Returns 1 where
# it cannot be made; the tests that need it are skipped then.
python_tools() {
  [ -x "$1/bin/sphinx-build" ] && [ -x "$1/bin/fpm" ] && return
  python3 -m venv "$1" && "$1/bin/pip" install --quiet --disable-pip-version-check --no-compile -r docs/requirements.txt fpm
}

# configure_and_build FOLDER OPTION...: all cores, one line a step only where something fails.
configure_and_build() {
  local folder=$1
  shift
  cmake -S . -B "$folder" -G Ninja "${launcher[@]}" "$@"
  cmake --build "$folder" --parallel "$(nproc)"
}
