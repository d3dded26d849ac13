# seedrank itself. Stores, answers and compiled kernels are in /data, a volume and the working folder:
#   docker build --file docker/seedrank.Dockerfile --tag seedrank .
#   docker run --rm --volume seedrank:/data seedrank demo
# With files of your own, as the user you are:
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD":/data seedrank load snap web-NotreDame.txt.gz
ARG PYTHON=3.12

FROM python:${PYTHON}-slim AS wheel
WORKDIR /source
COPY LICENSE README.md pyproject.toml setup.py ./
COPY cli cli
COPY cypher cypher
COPY exporters exporters
COPY graphdb graphdb
COPY loaders loaders
COPY seedrank seedrank
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:${PYTHON}-slim
# The compiled kernels run in threads of OpenMP. Debian keeps no version but the newest, so none is named.
# hadolint ignore=DL3008
RUN apt-get update && \
  apt-get install --yes --no-install-recommends libgomp1 && \
  rm -rf /var/lib/apt/lists/*
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels \
  --mount=type=bind,source=constraints.txt,target=/constraints.txt \
  pip install --no-cache-dir --constraint /constraints.txt /wheels/*.whl
# The home is the volume, whoever the user is: what is kept between commands outlives the container.
ENV HOME=/data
RUN useradd --uid 1000 --home-dir /data --no-create-home seedrank && \
  install --directory --owner seedrank --group seedrank /data
USER 1000:1000
WORKDIR /data
VOLUME /data
ENTRYPOINT ["seedrank"]
CMD ["--help"]
