# syntax=docker/dockerfile:1
# Neo4j with the Graph Data Science library inside. The official image fetches the library at every start, and starts
# without it where that fails; this one has the versions that seedrank was tested with.
#   docker build --file docker/neo4j.Dockerfile --tag seedrank-neo4j:5.26 .
#   docker build --file docker/neo4j.Dockerfile --tag seedrank-neo4j:2026.01 \
#     --build-arg LINE=2026.01 --build-arg VERSION=2026.01.4 .
#   SEEDRANK_NEO4J_IMAGE=seedrank-neo4j:5.26 seedrank db up
ARG LINE=5.26
ARG VERSION=5.26.30

FROM maven:3-eclipse-temurin-21 AS jars
ARG LINE
COPY graphdb/server/pom-${LINE}.xml /pom.xml
ARG FETCH="mvn -B -ntp -f /pom.xml org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
RUN $FETCH -DincludeScope=runtime -DincludeGroupIds=org.neo4j.gds -DoutputDirectory=/jars/gds && \
  $FETCH -DincludeScope=runtime -DexcludeGroupIds=org.neo4j.gds -DoutputDirectory=/jars/others

FROM neo4j:${VERSION}-community
# All jars of the library, some of which are called like jars of the server; and of those it needs the ones that the
# server does not have in some version.
RUN --mount=type=bind,from=jars,source=/jars,target=/jars \
  cp /jars/gds/*.jar /var/lib/neo4j/plugins/ && \
  for jar in /jars/others/*.jar; do \
    name="${jar##*/}"; \
    ls "/var/lib/neo4j/lib/${name%%-[0-9]*}"-[0-9]*.jar >/dev/null 2>&1 || cp "$jar" /var/lib/neo4j/plugins/; \
  done
# Also where a volume is mounted on /plugins, which the image would read instead.
ENV NEO4J_server_directories_plugins=/var/lib/neo4j/plugins
LABEL seedrank.gds=yes
